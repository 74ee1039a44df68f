import { enableCompileCache } from 'node:module';
import { homeAt } from '#home';
import { homeFolder } from '#home-folder';
import { rejectIncompleteRestore } from '#incomplete-restore';
import { messageOf } from '#launcher-error';
import { prepareHome } from '#prepare-home';

// Keeps documents and keys private. Child processes inherit it.
process.umask(0o077);
const home = homeAt(homeFolder(process.env));
try {
  rejectIncompleteRestore(home);
  await prepareHome(home);
} catch (error) {
  process.stderr.write(`Lectern could not be started. ${messageOf(error)}\n`);
  process.exit(1);
}
// Imports the rest after this, so that its compiled code is cached.
enableCompileCache(home.cache);
process.env.NODE_COMPILE_CACHE = home.cache;
const { run } = await import('#run');
await run(process.env);
