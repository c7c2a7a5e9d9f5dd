// Commands: what a person does, one after the other. No DOM, no service.
//
// Each is carried out when those before it are. By the rules that the page has, that is at once. A command for which a
// service is asked first returns a promise, and those after it wait in their order, until they are carried out, taken back,
// or dropped because another position is looked at.

/** @typedef {{ run: () => unknown, cell?: number, done: (made: boolean) => void }} Command `cell` is that of a click */

export class Commands {
  /** @type {Command[]} */
  #waiting = [];
  #isRunning = false;
  /** @type {(() => void)[]} */
  #listening = [];
  /** How many clicks waited when that was told last. */
  #told = 0;
  #tell;
  #fail;

  /** @param {() => void} tell called when other clicks wait @param {(error: unknown) => void} fail called if one throws */
  constructor(tell, fail) {
    this.#tell = tell;
    this.#fail = fail;
  }

  /** The cells of the clicks that wait. */
  get cells() {
    return this.#waiting.flatMap(({ cell }) => (cell === undefined ? [] : [cell]));
  }

  /** Whether one is under way, or waits. */
  get isBusy() {
    return this.#isRunning || this.#waiting.length > 0;
  }

  /**
   * Carry out a command after those before it; return whether it was. It was not if it throws, or returns false.
   * @param {() => unknown} run @param {number} [cell]
   * @returns {Promise<boolean>}
   */
  add(run, cell) {
    return new Promise((done) => {
      this.#waiting.push({ run, cell, done });
      this.#goOn();
    });
  }

  #goOn() {
    while (!this.#isRunning && this.#waiting.length) {
      const command = /** @type {Command} */ (this.#waiting.shift());
      this.#isRunning = true;
      let result;
      try {
        result = command.run();
      } catch (error) {
        result = this.#failed(error);
      }
      if (result instanceof Promise) {
        result.catch((error) => this.#failed(error)).then((made) => {
          this.#end(command, made);
          this.#goOn();
        });
        break;
      }
      this.#end(command, result);
    }
    this.#changed();
    if (this.isBusy) return;
    const free = this.#listening;
    this.#listening = [];
    for (const go of free) go();
  }

  /** @param {Command} command @param {unknown} result */
  #end(command, result) {
    this.#isRunning = false;
    command.done(result !== false);
  }

  /** @param {unknown} error */
  #failed(error) {
    this.#fail(error);
    return false;
  }

  #changed() {
    const { length } = this.cells;
    if (length === this.#told) return;
    this.#told = length;
    this.#tell();
  }

  /** Take back the last command that waits; return whether there was one. */
  takeBack() {
    const last = this.#waiting.pop();
    last?.done(false);
    this.#changed();
    return Boolean(last);
  }

  /** Drop all commands that wait; return their number. */
  drop() {
    let count = 0;
    while (this.takeBack()) count++;
    return count;
  }

  /** Wait until all commands are carried out. */
  async settled() {
    while (this.isBusy) {
      await new Promise((go) => {
        this.#listening.push(() => go(undefined));
      });
    }
  }
}
