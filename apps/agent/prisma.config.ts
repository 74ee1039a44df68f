import { defineConfig } from 'prisma/config';

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  // Only for `prisma migrate`. The running service reads `DATABASE_URL` in src/config.ts.
  datasource: { url: process.env.DATABASE_URL ?? 'postgresql://localhost/lectern?schema=agent' },
});
