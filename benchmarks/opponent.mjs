// How often each level of the page's opponent wins against the one below: `node benchmarks/opponent.mjs [GAMES] [GAME…]`.
//
// Each opening, drawn with a seed, is played twice, with colors exchanged. A draw counts as half a win. The same numbers come
// out on every machine; only the seconds differ. `python` has to be one with hexrec.

import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "opponent-"));
execFileSync("python", ["-m", "hexrec.web", "modules", folder]);
writeFileSync(join(folder, "package.json"), '{"type": "module"}');
const { games, IllegalOpening, newGame } = await import(join(folder, "rules.js"));
const { chooseTurn, generator, LEVELS } = await import(join(folder, "opponent.js"));

/** Boards on which a pair of levels plays 200 games in some minutes. */
const SIZES = { sundraval: 4, sunspot: 4, frasvel: 3, valaturna: 4, nadraz: 4 };
const VALUE = { black: 1, draw: 0.5, white: 0 };
const COLORS = ["black", "white"];

/** Return a game after a drawn opening; where there is none, after a first turn. */
function begun(game, draw) {
  const size = SIZES[game];
  const cell = () => "abcdefghi"[draw(2 * size - 1)] + (1 + draw(2 * size - 1));
  for (;;) {
    try {
      const position = newGame(game, { size, opening: Object.fromEntries(games[game].opening.map((color) => [color, cell()])) });
      const turns = position.legalTurns();
      if (!games[game].opening.length) position.play(turns[draw(turns.length)]);
      return position;
    } catch (error) {
      if (!(error instanceof IllegalOpening)) throw error;
    }
  }
}

/** Play a number of games of a level against the one below; return its wins and the turns of all games. */
function match(game, level, count) {
  let [wins, plies] = [0, 0];
  for (let number = 0; number < count; number++) {
    const position = begun(game, generator(number >> 1));
    const own = COLORS[number % 2];
    while (!position.isOver) position.play(chooseTurn(position, position.turn === own ? level : level - 1).turn);
    const value = VALUE[position.result().winner];
    wins += own === "black" ? value : 1 - value;
    plies += position.plies;
  }
  return { wins, plies };
}

const [, , count = "200", ...named] = process.argv;
console.log("| game | size | level | wins against the level below | turns a game | seconds |\n|---|---|---|---|---|---|");
for (const game of named.length ? named : Object.keys(SIZES)) {
  for (let level = 1; level < LEVELS.length; level++) {
    const { user } = process.cpuUsage();
    const { wins, plies } = match(game, level, Number(count));
    const seconds = ((process.cpuUsage().user - user) / 1e6).toFixed(0);
    const share = ((100 * wins) / Number(count)).toFixed(1);
    console.log(`| ${game} | ${SIZES[game]} | ${level + 1} | ${share} % | ${(plies / Number(count)).toFixed(0)} | ${seconds} |`);
  }
}
