import type { CreateToolServerRequest } from '@lectern/contracts';
import { AppError, createOnce, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { MAX_SERVERS } from '#tool-servers/limits';
import { sealAuth } from '#tool-servers/seal-auth';
import { parseAuth, parseSecret } from '#tool-servers/server-auth';
import { checkServerFields, requireDescription } from '#tool-servers/server-fields';
import { requireWholeTeam, toServer } from '#tool-servers/server-rows';

/** Stores a tool server. Does not connect to it. */
export const createToolServer =
  (context: Context) =>
  async (request: CreateToolServerRequest, { caller }: ServiceCall) => {
    requireWholeTeam(caller);
    checkServerFields(request);
    const { db } = context;
    const { teamId, keyId = null } = caller;
    const { name, slug, kind, url } = request;
    const description = { documentUrl: request.documentUrl || null, document: request.document || null };
    requireDescription(kind, description);
    const auth = parseAuth(request.auth ?? { type: 'none' });
    const secret = parseSecret(auth, request.secret);
    const server = await createOnce({
      kind: 'tool_server',
      id: request.id,
      find: (id) => db.toolServer.findUnique({ where: { id, teamId } }),
      create: async (id) => {
        if ((await db.toolServer.count({ where: { teamId } })) >= MAX_SERVERS) {
          throw new AppError('conflict', `A team can have at most ${MAX_SERVERS} tool servers. Delete one first.`);
        }
        if ((await db.toolServer.count({ where: { teamId, slug } })) > 0) throw slugTaken(slug);
        const sealed = sealAuth(context, { id, teamId }, { auth, secret });
        return db.toolServer.create({
          data: { id, teamId, keyId, name: name.trim(), slug, kind, url, ...description, ...sealed },
        });
      },
    });
    return toServer(context, server);
  };

const slugTaken = (slug: string) =>
  new AppError('conflict', `Another tool server has the short name ${slug}. Choose another one.`, {
    details: { field: 'slug' },
  });
