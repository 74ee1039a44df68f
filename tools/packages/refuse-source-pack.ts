import { basename } from 'node:path';

// The workspace contains TypeScript sources; `build` writes the package to `dist`.
const name = basename(process.cwd());
process.stderr.write(
  `This folder is not the published package. Run: npm run build -w packages/${name} && npm pack ./packages/${name}/dist\n`,
);
process.exit(1);
