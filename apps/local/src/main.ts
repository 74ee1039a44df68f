import { enableCompileCache } from 'node:module';
import { homeAt } from '#home';
import { homeFolder } from '#home-folder';
import { nodeTooOld } from '#node-version';

const problem = nodeTooOld(process.versions.node);
if (problem) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
// Imported late: a Node that is too old could not read the rest, and what is compiled now is kept for the next start.
enableCompileCache(homeAt(homeFolder(process.env)).cache);
const { run } = await import('#run');
await run(process.env);
