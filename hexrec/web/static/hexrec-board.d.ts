/** `<hexrec-board>`: a game on the page of any site. Importing the module defines the element. */

import type { Color, Coordinates, GameRecord, Result } from "./hexrec.js";

/** An error in a record, or in reading it. */
export interface BoardError {
  /** The code of a diagnostic, such as `move/occupied`; `load` if the record cannot be read. */
  code: string;
  /** A sentence. */
  message: string;
  /** The turn that it is about, counted from 1. */
  ply?: number;
  turn?: string;
}

/** The position that is shown. */
export interface BoardPlace {
  /** The number of turns before it. */
  ply: number;
  /** The last turn, and its color; null before the first one. */
  turn: string | null;
  color: Color | null;
  /** The side to move. */
  toPlay: Color;
  /** The position text. */
  position: string;
  /** The result by the rules, or null while the game is in progress. */
  result: Result | null;
}

/** The events of the element. None of them bubbles. */
export interface HexrecBoardEventMap {
  /** A record has been read; its error is in `error`, too. */
  load: CustomEvent<{ record: GameRecord; plies: number; error: BoardError | null }>;
  /** Another position is shown. */
  ply: CustomEvent<BoardPlace>;
  /** A turn was played that the record does not have there. `ply` comes before it. */
  turn: CustomEvent<BoardPlace & { record: GameRecord }>;
  /** The record has an error, or cannot be read. */
  error: CustomEvent<BoardError>;
}

export interface HexrecBoardAttributes {
  /** The URL of a record in JSON or JSON Lines, of which the first record is shown. */
  src?: string;
  /** The record itself, in JSON. It can also be in a `<script type="application/json">` in the element. */
  record?: string;
  /** The URL of a service of hexrec, which converts a record in another format. */
  server?: string;
  /** The number of turns to show first; by default all, up to an illegal one. */
  ply?: string | number;
  /** The coordinate system of the names; by default that of the record. */
  coordinates?: Coordinates;
  /** Which cells have names: those at the ends of rows (default), all, or none. */
  labels?: "ends" | "all" | "none";
  /** By default as the system of the reader. */
  theme?: "auto" | "light" | "dark";
  /** Whether turns can be played. */
  playable?: boolean | "";
  /** Whether there are buttons to step through the game. */
  controls?: boolean | "";
}

export class HexrecBoard extends HTMLElement {
  /** The record with the turns that are shown, those that were played too; null before there is one. */
  get record(): GameRecord | null;
  /** Takes a record, or JSON. It is not changed. */
  set record(value: Partial<GameRecord> | string | null);
  /** The number of turns that are shown. */
  ply: number;
  /** The number of turns that can be shown. */
  readonly plies: number;
  /** The turns that are shown, in canonical form. */
  readonly turns: string[];
  /** The position text, or null. */
  readonly position: string | null;
  readonly error: BoardError | null;
  /** Shows the position after some turns. */
  goTo(ply: number): void;
  /** Plays a turn in the position that is shown. Throws IllegalTurn. */
  play(turn: string): void;
  /** Takes back the last turn that was played, or the last part of one. */
  undo(): void;
  /** Shows the record again as it was given. */
  reset(): void;
  addEventListener<K extends keyof HexrecBoardEventMap>(
    type: K,
    listener: (this: HexrecBoard, event: HexrecBoardEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "hexrec-board": HexrecBoard;
  }
}
