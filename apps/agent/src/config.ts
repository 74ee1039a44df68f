import { grpcTarget, parseConfig, serviceSettings } from '@lectern/service-kit';
import { z } from 'zod';

const settings = z.object({
  ...serviceSettings,
  GRPC_ADDRESS: serviceSettings.GRPC_ADDRESS.default('127.0.0.1:50053'),
  DATABASE_URL: z.url(),
  SEARCH_ADDRESS: grpcTarget.default('127.0.0.1:50051'),
  CONNECTOR_ADDRESS: grpcTarget.default('127.0.0.1:50055'),
  COLLECTION_ADDRESS: grpcTarget.default('127.0.0.1:50054'),
});

export type Config = z.output<typeof settings>;

/** The settings of the agent service. Throws `ConfigError`. */
export const readConfig = (env: NodeJS.ProcessEnv): Config => parseConfig(settings, env);
