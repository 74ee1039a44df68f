import type { CheckStep } from '#checks/run-checks';
import type { Connector, ConnectorCall } from '#connector';
import type { SourceGroup } from '#source';

/** The kinds of content, in the order of a listing. */
type PartName = 'files' | 'teams' | 'mail';

/** One kind of content of a tenant. */
export interface Part
  extends Required<Pick<Connector, 'list' | 'cursor' | 'changes' | 'resolve' | 'fetch' | 'permissions'>> {
  readonly name: PartName;
  /** The name in messages. */
  readonly label: string;
  /** True if an item with this id is of this kind. */
  owns(id: string): boolean;
  checks(call: ConnectorCall): readonly CheckStep[];
  /** Yields the groups that only this kind has. */
  groups?(call: ConnectorCall): AsyncGenerator<SourceGroup, void, void>;
}
