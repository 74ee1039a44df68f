import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import { UserV2 } from '#jira/issue-fields';
import type { Holder } from '#jira/jira-api';
import type { Reader } from '#readers/reader';

/** The id of a role can be a number. */
const Name = z.union([z.string(), z.number().transform(String)]).nullish();

/**
 * A holder of a permission. https://developer.atlassian.com/cloud/jira/platform/rest/v2/api-group-permission-schemes/
 */
export const HolderV2 = z.object({
  type: z.string(),
  parameter: Name,
  /** The id on Cloud, where names can change. */
  value: Name,
  user: UserV2.nullish(),
});
export type HolderV2 = z.infer<typeof HolderV2>;

/** How an edition identifies people and groups. */
export interface HolderNames {
  userOf(call: ConnectorCall, holder: HolderV2): Promise<readonly Reader[]>;
  groupOf(holder: HolderV2): readonly Reader[];
}

/**
 * Returns whom a holder names. Holders that name no people, like fields and customers of the
 * portal, give no access.
 */
export async function holderOf(call: ConnectorCall, holder: HolderV2, names: HolderNames): Promise<readonly Holder[]> {
  const { type, parameter } = holder;
  switch (type) {
    case 'anyone':
      return [{ kind: 'readers', readers: [{ kind: 'everyone' }] }];
    case 'user':
      return [{ kind: 'readers', readers: await names.userOf(call, holder) }];
    case 'group':
      return [{ kind: 'readers', readers: names.groupOf(holder) }];
    case 'projectRole': {
      const roleId = parameter || holder.value;
      return roleId && /^\d+$/.test(roleId) ? [{ kind: 'role', roleId }] : [];
    }
    case 'applicationRole':
      return [{ kind: 'application', key: parameter || undefined }];
    case 'projectLead':
      return [{ kind: 'lead' }];
    case 'reporter':
    case 'assignee':
      return [{ kind: type }];
    default:
      return [];
  }
}
