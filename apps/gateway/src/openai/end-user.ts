import { fields } from '@lectern/api-spec';
import { AppError, invalidRequest } from '@lectern/service-kit';
import type { Context } from '#context';
import { requireEndUserAccess } from '#keys/end-user-access';
import type { KeyedCall } from '#pipeline/operation';

const invalid = (message: string) => invalidRequest([{ path: 'user', message }]);

/**
 * Returns the call for the end user in the field `user`. It selects one only for a secret key without
 * X-Service-User, and must then be an email address: otherwise a mistake would give a user the access of
 * the key. If the credential or the header already selects the end user, the field may repeat the
 * address, or contain an id of the client, which is ignored. Throws `invalid_request` and `forbidden`.
 */
export async function withEndUser(
  ctx: Context,
  operation: { readonly id: string },
  call: KeyedCall,
  user: string | null | undefined,
): Promise<KeyedCall> {
  if (user === undefined || user === null) return call;
  const { caller, key } = call;
  if (caller.userEmail !== undefined) {
    if (!user.includes('@') || user.trim().toLowerCase() === caller.userEmail) return call;
    if (key.person !== undefined || key.token !== undefined) {
      throw new AppError('forbidden', 'The field user names another person than the one who sends the request.');
    }
    throw invalid('must be the same address as in X-Service-User');
  }
  if (call.kind !== 'secret') throw new AppError('forbidden', 'The field user requires a secret key.');
  const parsed = fields.serviceUser.safeParse(user.trim());
  if (!parsed.success) {
    throw invalid(
      'must be the email address of an end user, who then sees only what they may read. Omit it to use the access of the key',
    );
  }
  requireEndUserAccess(operation);
  const userEmail = parsed.data.toLowerCase();
  const groups = await ctx.endUserGroups.find(caller.teamId, userEmail);
  return { ...call, caller: { ...caller, userEmail, groups } };
}
