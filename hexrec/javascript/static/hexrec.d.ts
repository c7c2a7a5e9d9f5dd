/** The rules of hexrec's games. */

export type GameName = "GAMES";
export type Color = "black" | "white";
/** The coordinate system of cells in turns and openings: `e5`, in other lines, or `(q,r)`. */
export type Coordinates = "row" | "skew" | "axial";
/** The cells of the stones that are set before the first turn, of the colors that the game has. */
export type Opening = Partial<Record<Color, string>>;

export interface Description {
  readonly name: GameName;
  readonly title: string;
  /** The rulesets, the default first. */
  readonly rulesets: readonly {
    readonly name: string;
    readonly sizes: readonly number[];
    /** The names of the readings that can replace rulings. */
    readonly readings: readonly string[];
  }[];
  /** The recommended sizes, the default first. */
  readonly recommended: readonly number[];
  /** The colors that have an opening stone. */
  readonly opening: readonly Color[];
  readonly variants: readonly string[];
  /** The notation of turns: a regular expression for either case, in which `{cell}` is a cell. */
  readonly turn: string;
  readonly example: string;
  /** Whether a score is a number, or a list in descending order; null without scores. */
  readonly score: "number" | "list" | null;
  readonly hasPass: boolean;
  readonly hasStacks: boolean;
  /** What stones are on: `cells`, `edged cells` or `points`. */
  readonly surface: string;
  /** The name of a stone, such as `stack`. */
  readonly piece: string;
  /** The values of the game's own fields of position texts. */
  readonly positionFields: readonly (readonly string[])[];
  /** Whether different strings can mean the same turn. */
  readonly synonyms: boolean;
}

export interface Stone {
  color: Color;
  /** 1 in games without stacks. */
  height: number;
}

export interface Result {
  winner: Color | "draw";
  termination: "rules";
  /** Only in games with scores. */
  score?: Record<Color, number> | Record<Color, number[]>;
}

export interface Options {
  /** The number of cells along a side; by default that of the position text, or the recommended one. */
  size?: number | undefined;
  opening?: Opening | undefined;
  variant?: string | null | undefined;
  /** By default the first of the game. */
  ruleset?: string | undefined;
  /** The readings that replace rulings, at most one for each ruling. */
  readings?: readonly string[] | undefined;
  /** By default `row`. */
  coordinates?: Coordinates | undefined;
  /** A position text, in place of an opening. */
  position?: string | null | undefined;
}

/** The fields of a record that are part of the identity of its game; others are allowed. */
export interface GameRecord {
  game: GameName;
  moves: readonly (string | { readonly turn: string })[];
  size: number;
  ruleset?: string;
  variant?: string | null;
  readings?: readonly string[];
  coordinates?: Coordinates;
  opening?: Opening;
  setup?: string | null;
}

/** The games, by name. */
export const games: Readonly<Record<GameName, Description>>;

/**
 * Starts a game from its opening or from a position text.
 *
 * Throws IllegalOpening, IllegalSetup, or RangeError for a game, size, variant, ruleset, reading or coordinate system
 * that does not exist, and for two readings of one ruling.
 */
export function newGame(game: GameName, options?: Options): Position;

/**
 * Returns the hash of the game of a record, of 32 hexadecimal digits; with `symmetric`, the one that rotated and
 * mirrored games share. Throws as `newGame` and `play` do.
 */
export function gameHash(record: GameRecord, options?: { symmetric?: boolean }): string;

/** A position of a game. */
export class Position {
  private constructor();
  readonly game: GameName;
  readonly size: number;
  readonly ruleset: string;
  readonly variant: string | null;
  readonly readings: readonly string[];
  readonly coordinates: Coordinates;
  /** The position in integers, as the rules see it: faster than strings. */
  readonly grid: Grid;
  /** The side to move; after the end, the color that would be next. */
  readonly turn: Color;
  /** The number of turns played. */
  readonly plies: number;
  /** The turns played, in canonical form. */
  readonly turns: string[];
  /** Whether the rules have ended the game. */
  readonly isOver: boolean;
  /** The stones or stacks, by the name of the cell. */
  readonly stones: Record<string, Stone>;
  /** Plays a turn and returns it in canonical form. Throws IllegalTurn; the position is unchanged then. */
  play(turn: string): string;
  /** Takes back the last turn and returns it; null if there is none. */
  undo(): string | null;
  /** Returns whether a turn is legal. */
  isLegal(turn: string): boolean;
  /** Returns the code of the first rule that a turn breaks, or null if it is legal. */
  refusal(turn: string): string | null;
  /** Returns the canonical form of a legal turn. Throws IllegalTurn. */
  canonical(turn: string): string;
  /** Returns the legal turns in canonical form, sorted; an empty array after the end. */
  legalTurns(): string[];
  /** Returns the result, or null while the game is in progress. */
  result(): Result | null;
  /** Returns the position text. */
  text(): string;
  /** Returns a hash of 16 hexadecimal digits, which is the same for equal positions everywhere. */
  hash(): string;
  /** Returns an independent copy, with the turns that `undo` can take back. */
  copy(): Position;
}

/** A turn is illegal in its position. */
export class IllegalTurn extends Error {
  /** The code of the rule, such as `move/occupied`. */
  readonly code: string;
  readonly turn: string;
}

/** An opening stone is off the board, or on the cell of another. */
export class IllegalOpening extends Error {
  readonly code: string;
  readonly color: Color;
}

/** A position text is malformed, or no game can go on from its position. */
export class IllegalSetup extends Error {
  readonly code: string;
  /** The column of the error, counted from 1. */
  readonly column: number;
}
