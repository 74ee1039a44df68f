import type { OwnKey } from '#api/types.ts';
import { useSession } from '#session/session.ts';
import { Empty } from '#ui/empty.tsx';

/** Who to ask, for each role that a page can require. */
const ASK = {
  editor: 'Only editors, admins and owners can. Ask an admin of your team.',
  admin: 'Only admins and owners can. Ask one of them.',
} as const;

/** Shows a person or a key why it cannot use a page. `action` completes “cannot”. */
export function NoAccess({
  action,
  least,
  right,
}: {
  readonly action: string;
  readonly least: keyof typeof ASK;
  readonly right: OwnKey['rights'][number];
}) {
  const { person } = useSession();
  return (
    <Empty title={`${person === null ? 'This key' : 'You'} cannot ${action}`}>
      <p>
        {person === null
          ? `Sign in with a key that can access all collections and has the right “${right}”.`
          : ASK[least]}
      </p>
    </Empty>
  );
}
