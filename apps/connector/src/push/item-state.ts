// An item as three registers: the newest revision of its content, of its principals and of its
// deletion. The state after some changes does not depend on the order in which they arrive, as long
// as each change of an item has its own revision.

/** A value and the revision that it came with. */
interface Register<T> {
  readonly revision: number;
  readonly value: T;
}

export interface ItemState<Content> {
  /** Undefined: the item does not exist. */
  readonly content?: Register<Content>;
  /** Undefined: those of the connector apply. They can arrive before the content. */
  readonly principals?: Register<readonly string[]>;
  /** The last deletion. Nothing of this or an earlier revision exists. */
  readonly deleted?: number;
}

export type Change<Content> =
  | {
      readonly action: 'put';
      readonly revision: number;
      readonly content: Content;
      readonly principals?: readonly string[];
    }
  | { readonly action: 'permissions'; readonly revision: number; readonly principals: readonly string[] }
  | { readonly action: 'delete'; readonly revision: number };

/** The state after a change, and whether anything visible changed. */
export interface Applied<Content> {
  readonly state: ItemState<Content>;
  readonly accepted: boolean;
}

const newest = (...revisions: readonly (number | undefined)[]): number =>
  Math.max(...revisions.map((revision) => revision ?? Number.NEGATIVE_INFINITY));

/** Returns the newest revision of an item. */
export const revisionOf = ({ content, principals, deleted }: ItemState<unknown>): number =>
  newest(content?.revision, principals?.revision, deleted);

function applyDelete<Content>(state: ItemState<Content>, revision: number): Applied<Content> {
  const { content, principals, deleted } = state;
  if (revision <= newest(deleted) || revision === content?.revision) return { state, accepted: false };
  const rest = {
    ...(content !== undefined && content.revision > revision ? { content } : {}),
    ...(principals !== undefined && principals.revision > revision ? { principals } : {}),
  };
  return {
    state: { ...rest, deleted: revision },
    accepted: rest.content === undefined || rest.principals !== principals,
  };
}

/** Applies a change to an item. */
export function applyChange<Content>(state: ItemState<Content>, change: Change<Content>): Applied<Content> {
  const { revision } = change;
  if (change.action === 'delete') return applyDelete(state, revision);
  const isOld = (register: Register<unknown> | undefined) => revision <= newest(register?.revision, state.deleted);
  const content =
    change.action === 'put' && !isOld(state.content) ? { content: { revision, value: change.content } } : {};
  const principals =
    change.principals !== undefined && !isOld(state.principals)
      ? { principals: { revision, value: change.principals } }
      : {};
  const changed = { ...content, ...principals };
  return { state: { ...state, ...changed }, accepted: Object.keys(changed).length > 0 };
}

/**
 * Removes an item that a snapshot did not name. It can return with the same revision, because the
 * mistake can be the snapshot's, but not with an older one.
 */
export function removeUnnamed<Content>({ content, ...state }: ItemState<Content>): ItemState<Content> {
  return content === undefined ? state : { ...state, deleted: Math.max(content.revision - 1, newest(state.deleted)) };
}
