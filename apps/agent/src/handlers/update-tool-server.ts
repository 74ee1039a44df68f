import { isDeepStrictEqual } from 'node:util';
import type { UpdateToolServerRequest } from '@lectern/contracts';
import { requireRevision, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { sealAuth } from '#tool-servers/seal-auth';
import { parseAuth, parseSecret, readStoredAuth, secretIssue } from '#tool-servers/server-auth';
import { checkServerFields, requireDescription } from '#tool-servers/server-fields';
import { lockServer, readServer, requireWholeTeam, serverRevision, toServer } from '#tool-servers/server-rows';

/**
 * Changes the given fields of a tool server. A new address needs the secret again: who may change the
 * address does not necessarily know it.
 */
export const updateToolServer =
  (context: Context) =>
  async (request: UpdateToolServerRequest, { caller }: ServiceCall) => {
    requireWholeTeam(caller);
    await readServer(context.db, caller, request.id);
    checkServerFields(request);
    const { name, url } = request;
    const given = request.auth === undefined ? undefined : parseAuth(request.auth);
    const server = await context.db.$transaction(async (tx) => {
      const found = await lockServer(tx, caller, request.id);
      requireRevision(request.precondition, serverRevision(found));
      const stored = readStoredAuth(found.auth);
      const auth = given ?? stored;
      const moves = (url !== undefined && url !== found.url) || !isDeepStrictEqual(auth, stored);
      if (moves && auth.type !== 'none' && request.secret === undefined) {
        throw secretIssue('is required again, because the address or the authentication changes');
      }
      const isNew = moves || request.secret !== undefined;
      const description = {
        // An inline document and an address replace each other.
        documentUrl: request.document ? null : orStored(request.documentUrl, found.documentUrl),
        document: request.documentUrl ? null : orStored(request.document, found.document),
      };
      requireDescription(found.kind, description);
      return tx.toolServer.update({
        where: { id: found.id },
        data: {
          ...(name === undefined ? {} : { name: name.trim() }),
          ...(url === undefined ? {} : { url }),
          ...description,
          ...(isNew ? sealAuth(context, found, { auth, secret: parseSecret(auth, request.secret) }) : {}),
        },
      });
    });
    return toServer(context, server);
  };

const orStored = (given: string | undefined, stored: string | null) => (given === undefined ? stored : given || null);
