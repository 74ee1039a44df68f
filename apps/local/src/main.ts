import { enableCompileCache } from 'node:module';
import { refuseHalfRestored } from '#half-restored';
import { homeAt } from '#home';
import { homeFolder } from '#home-folder';
import { messageOf } from '#launcher-error';
import { prepareHome } from '#prepare-home';

// Documents and keys are nobody else's business; every process started from here inherits it.
process.umask(0o077);
const home = homeAt(homeFolder(process.env));
try {
  refuseHalfRestored(home);
  await prepareHome(home);
} catch (error) {
  process.stderr.write(`Lectern could not be started. ${messageOf(error)}\n`);
  process.exit(1);
}
// The rest is imported late, so that what is compiled now is kept for the next start.
enableCompileCache(home.cache);
process.env.NODE_COMPILE_CACHE = home.cache;
const { run } = await import('#run');
await run(process.env);
