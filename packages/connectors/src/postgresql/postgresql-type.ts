import { z } from 'zod';
import { sslModes } from '#postgresql/open-database';
import { openPostgresql } from '#postgresql/postgresql-connector';
import { defineType } from '#settings/connector-type';
import { principals } from '#settings/principals';

const name = (what: string) =>
  z
    .string()
    .min(1, `must be the name of ${what}`)
    .max(63 * 4);

/** The rows of a PostgreSQL database's tables and views. */
export const postgresqlType = defineType({
  name: 'postgresql',
  acceptsFiles: false,
  endpointFields: ['host', 'port', 'sslMode', 'database', 'schema'],
  config: z.strictObject({
    // A path would mean a local Unix socket.
    host: z
      .string()
      .trim()
      .max(253)
      .regex(/^(\[[0-9a-f:.]+\]|[A-Za-z0-9_.:-]+)$/i, 'must be a host name or an IP address'),
    port: z.coerce.number('must be a port').int().min(1).max(65_535).default(5_432),
    database: name('a database'),
    schema: name('a schema').default('public'),
    sslMode: z.enum(sslModes, `must be one of: ${sslModes.join(', ')}`).default('prefer'),
    principals: principals.optional(),
  }),
  credentials: z.strictObject({
    user: z.string().min(1, 'is missing').max(256),
    password: z.string('is missing').max(4_096),
  }),
  open: ({ config, credentials, host }) => openPostgresql(config, credentials, host),
});
