import { toPrincipals } from '@lectern/service-kit';
import type { Context } from '#context';

export interface ReadGroups {
  readonly teamId: string;
  readonly connectorId: string;
  /** The same for every part of one reading. */
  readonly generation: string;
  readonly groups: readonly { readonly principal: string; readonly members: readonly string[] }[];
  /** No part follows: groups of other generations are not there any more. */
  readonly complete: boolean;
}

/** Stores a part of a connector's groups in place of what was known of them. May be repeated. */
export async function replaceGroups({ db }: Context, given: ReadGroups): Promise<void> {
  const { teamId, connectorId, generation, complete } = given;
  const groups = [...new Map(given.groups.map((group) => [group.principal, group])).values()];
  const principals = groups.map(({ principal }) => principal);
  const members = groups.flatMap(({ principal, members }) =>
    toPrincipals(members).map((member) => ({ connectorId, principal, member, teamId })),
  );
  await db.$transaction(async (tx) => {
    await tx.group.deleteMany({ where: { teamId, connectorId, principal: { in: principals } } });
    await tx.group.createMany({
      data: principals.map((principal) => ({ connectorId, principal, teamId, generation })),
      skipDuplicates: true,
    });
    await tx.groupMember.createMany({ data: members, skipDuplicates: true });
    if (complete) await tx.group.deleteMany({ where: { teamId, connectorId, generation: { not: generation } } });
  });
}
