/** States and their legal moves. */
export interface Machine<S extends string> {
  readonly states: readonly S[];
  readonly moves: Readonly<Record<S, readonly S[]>>;
  canMove(from: S, to: S): boolean;
  /** The states that can move to `to`: the condition of the update that makes the move. */
  before(to: S): S[];
}

/** Creates a machine from a table of each state and the states that can follow it. */
export function defineMachine<S extends string>(moves: Readonly<Record<S, readonly S[]>>): Machine<S> {
  const isState = (name: string): name is S => Object.hasOwn(moves, name);
  const states = Object.keys(moves).filter(isState);
  return {
    states,
    moves,
    canMove: (from, to) => moves[from].includes(to),
    before: (to) => states.filter((from) => moves[from].includes(to)),
  };
}
