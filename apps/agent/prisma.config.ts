import { defineConfig } from 'prisma/config';

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  // Used by `prisma migrate` alone; the running service is given its address by its own settings.
  datasource: { url: process.env.DATABASE_URL ?? 'postgresql://localhost/lectern?schema=agent' },
});
