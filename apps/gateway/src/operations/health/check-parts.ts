import type { Context } from '#context';

/** The parts that are checked: the database and the services. */
export type Asked = Pick<Context, 'db' | 'connections'>;

const DEADLINE_MS = 2_000;

async function databaseAnswers({ db }: Asked): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), DEADLINE_MS);
  const answered = db.$queryRaw`SELECT 1`.then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([answered, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** The parts that the gateway needs and that do not answer within two seconds, by name. */
export async function partsNotReady(ctx: Asked): Promise<readonly string[]> {
  const services = Object.entries(ctx.connections).map(
    async ([name, connection]) => [name, await connection.healthy(DEADLINE_MS)] as const,
  );
  const database = databaseAnswers(ctx).then((answers) => ['database', answers] as const);
  const parts = await Promise.all([database, ...services]);
  return parts.filter(([, ready]) => !ready).map(([name]) => name);
}
