// Violations of the rules.

/** A violation of the rules, with the `code` of the rule. */
class RuleError extends Error {
  constructor(message, code) {
    super(`${message} (${code})`);
    this.name = new.target.name;
    this.code = code;
  }
}

/** A turn is illegal in its position. */
export class IllegalTurn extends RuleError {
  constructor(turn, code) {
    super(`${turn} is illegal`, code);
    this.turn = turn;
  }
}

/** An opening stone is off the board, or on the cell of another. */
export class IllegalOpening extends RuleError {
  constructor(color, cell, code) {
    super(`the ${color} opening stone cannot be on ${cell}`, code);
    this.color = color;
  }
}

/** A position text is malformed, or no game can go on from its position. `column` counts from 1. */
export class IllegalSetup extends RuleError {
  constructor(code, column) {
    super(`no game can go on from the setup, see column ${column}`, code);
    this.column = column;
  }
}
