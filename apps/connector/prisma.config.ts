import { defineConfig } from 'prisma/config';

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  // Only `prisma migrate` uses this. The service reads its address from its settings.
  datasource: { url: process.env.DATABASE_URL ?? 'postgresql://localhost/lectern?schema=connector' },
});
