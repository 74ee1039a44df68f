import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// `node infra/production-manifests.mjs FOLDER`: removes devDependencies from the manifests of the workspaces and from
// their entries in the lockfile. `npm ci --omit=dev --workspace` would otherwise install the workspaces in them.
const folder = process.argv[2];
if (folder === undefined) throw new Error('Name the folder with package-lock.json and the manifests.');

const edit = (path, change) => {
  const file = join(folder, path);
  const content = JSON.parse(readFileSync(file, 'utf8'));
  change(content);
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
};

edit('package-lock.json', ({ packages }) => {
  for (const path of Object.keys(packages)) {
    if (path.includes('node_modules') || packages[path].link) continue;
    delete packages[path].devDependencies;
    edit(join(path, 'package.json'), (manifest) => {
      delete manifest.devDependencies;
    });
  }
});
