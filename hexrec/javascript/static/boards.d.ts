
/** The board of a size, which the package does not export. */
export function boardOf(size: number): Board;

/** The pattern of the names of cells in turns, for either case. */
export function cellPattern(system: Coordinates): string;

export interface Board {
  readonly size: number;
  /** The number of places: those of the cells, and those around them. */
  readonly span: number;
  /** The cells, by place, in board order. */
  readonly cells: number[];
  /** The axial coordinates of the cells, in board order. */
  readonly axial: ReadonlyMap<number, readonly [q: number, r: number]>;
  /** The names of the cells in a coordinate system, with the cells by name. */
  names(system: Coordinates): {
    readonly names: ReadonlyMap<number, string>;
    readonly cells: ReadonlyMap<string, number>;
    single(cell: number): string;
    find(name: string): number | undefined;
  };
}

export interface Description {
  /** Whether a game of a plug-in has marks that only Python knows. */
  readonly hasMarks?: boolean;
}
