import { fileURLToPath } from 'node:url';
import { ChatServiceDefinition } from '@lectern/contracts';
import {
  AppError,
  applyMigrations,
  type Running,
  repeat,
  serve,
  startGrpcServer,
  stopWithin,
} from '@lectern/service-kit';
import type { Config } from '#config';
import { type Context, createContext, SCHEMA } from '#context';
import { removeEmptyConversations } from '#conversations/remove-empty';
import { chat, regenerate, streamChat, streamRegenerate } from '#handlers/chat';
import { deleteConversation } from '#handlers/delete-conversation';
import { getConversation } from '#handlers/get-conversation';
import { listConversations } from '#handlers/list-conversations';
import { listModels } from '#handlers/list-models';
import { resumeChat } from '#handlers/resume-chat';
import { removeExpiredReplies } from '#replies/remove-expired';

const MIGRATIONS = fileURLToPath(new URL('../prisma/migrations', import.meta.url));
const CLEAN_UP_MS = 300_000;

/** Starts the chat service. */
export async function startChat(
  config: Config,
  overrides: Partial<Context> = {},
): Promise<Running & { readonly port: number }> {
  await applyMigrations({ url: config.DATABASE_URL, schema: SCHEMA, dir: MIGRATIONS });
  const context = createContext(config, overrides);
  await context.db.$connect();
  const server = await startGrpcServer({
    address: config.GRPC_ADDRESS,
    services: [
      serve(ChatServiceDefinition, {
        chat: chat(context),
        streamChat: streamChat(context),
        resumeChat: resumeChat(context),
        regenerate: regenerate(context),
        streamRegenerate: streamRegenerate(context),
        listConversations: listConversations(context),
        getConversation: getConversation(context),
        deleteConversation: deleteConversation(context),
        listModels: listModels(context),
      }),
    ],
    log: context.log,
    shutdownTimeoutMs: config.SHUTDOWN_TIMEOUT_MS,
    dependencies: { postgresql: () => context.db.$queryRaw`SELECT 1` },
  });
  const cleanUp = repeat(
    { name: 'remove expired replies and empty conversations', intervalMs: CLEAN_UP_MS, log: context.log },
    async () => {
      await removeExpiredReplies(context.db);
      await removeEmptyConversations(context.db);
    },
  );
  context.log.info({ port: server.port }, 'chat is listening');
  return {
    port: server.port,
    stop: async () => {
      const endTurns = async () => {
        await server.stop();
        context.ending.abort(new AppError('unavailable', 'The service is stopping.'));
        await Promise.all(context.turns);
      };
      await stopWithin(config.SHUTDOWN_TIMEOUT_MS, context.log, [endTurns(), cleanUp.stop()]);
      await context.close();
    },
  };
}
