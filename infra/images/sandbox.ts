import { mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The uid of the account `node` in Node's images. Builds run as root. */
export const NODE_ACCOUNT = 1000;

/** The substitute for the base image: this machine's system, read-only, with the image's Node and npm. */
export interface System {
  /** Node in the version of the Dockerfile. */
  readonly node: string;
  /** The folder of the package `npm`. */
  readonly npm: string;
  /** The user's npmrc. The file can be missing. */
  readonly npmrc: string;
  /** Shared by stages, like a build cache. */
  readonly npmCache: string;
  /** A folder with `passwd` and `group` that contain `node`. */
  readonly accounts: string;
}

/** How to run a command in the file system of an image. */
export interface ImageCommand {
  /** The folder that becomes `/`. */
  readonly root: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly uid: number;
  /** True for a read-only root, like `read_only: true`. `/tmp` and volumes are writable. */
  readonly readOnly?: boolean;
  readonly volumes?: readonly string[];
}

/** Folders of this machine that every image shares. `/bin` and others are links into `/usr`. */
const SHARED = ['usr', 'etc', 'dev', 'proc'] as const;
const LINKS = { bin: 'usr/bin', sbin: 'usr/sbin', lib: 'usr/lib', lib64: 'usr/lib64' } as const;

// Runs in a new mount namespace, so that all mounts disappear at the end. The command has no capabilities.
const ENTER = `set -e
root=$1; node=$2; npm=$3; npmrc=$4; cache=$5; accounts=$6; uid=$7; cwd=$8; ro=$9; shift 9
volumes=$1; shift
mount --bind "$root" "$root"
for name in ${SHARED.join(' ')}; do mount --rbind "/$name" "$root/$name"; done
mount -o remount,bind,ro "$root/usr"
mount -o remount,bind,ro "$root/etc"
mount --bind "$accounts/passwd" "$root/etc/passwd"
mount --bind "$accounts/group" "$root/etc/group"
mount --bind "$node" "$root/image/node"
if [ "$ro" = yes ]; then
  mount -t tmpfs tmpfs "$root/tmp"; chmod 1777 "$root/tmp"
  for volume in $volumes; do mount --bind "$root$volume" "$root$volume"; done
  mount -o remount,bind,ro "$root"
  exec chroot "$root" setpriv --reuid "$uid" --regid "$uid" --clear-groups --no-new-privs --bounding-set -all --inh-caps -all env -C "$cwd" "$@"
fi
mount --bind "$npm" "$root/image/npm"; mount -o remount,bind,ro "$root/image/npm"
mount --bind "$cache" "$root/image/cache"
if [ -f "$npmrc" ]; then mount --bind "$npmrc" "$root/image/npmrc"; fi
exec chroot "$root" env -C "$cwd" "$@"`;

/** Prepares a folder as the root of an image. */
export async function prepareRoot(root: string): Promise<void> {
  for (const name of [...SHARED, 'tmp', 'image/bin', 'image/npm', 'image/cache'])
    await mkdir(join(root, name), { recursive: true });
  for (const [name, target] of Object.entries(LINKS)) await symlink(target, join(root, name));
  await symlink('../node', join(root, 'image/bin/node'));
  await symlink('../npm/bin/npm-cli.js', join(root, 'image/bin/npm'));
  await symlink('../npm/bin/npx-cli.js', join(root, 'image/bin/npx'));
  for (const file of ['image/node', 'image/npmrc']) await writeFile(join(root, file), '');
}

/** Writes this machine's accounts and groups, plus `node`, to a new folder. Returns its path. */
export async function writeAccounts(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-accounts-'));
  const node = { passwd: `node:x:${NODE_ACCOUNT}:${NODE_ACCOUNT}::/tmp:/bin/sh`, group: `node:x:${NODE_ACCOUNT}:` };
  for (const [file, line] of Object.entries(node)) {
    const lines = (await readFile(join('/etc', file), 'utf8')).split('\n');
    const others = lines.filter((other) => !other.startsWith('node:') && other.split(':')[2] !== String(NODE_ACCOUNT));
    await writeFile(join(folder, file), [line, ...others].join('\n'));
  }
  return folder;
}

/** The variables that npm needs to access a registry. No others are passed on. */
const NETWORK = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
  'npm_config_registry',
  'npm_config_cafile',
];

/** Returns the program and arguments that run a command in an image. Requires Linux and root. */
export function commandInImage(
  system: System,
  inside: ImageCommand,
  command: readonly string[],
): readonly [string, string[]] {
  const { root, cwd, uid, readOnly = false, volumes = [] } = inside;
  const network = NETWORK.flatMap((name) => (process.env[name] ? [[name, process.env[name]] as const] : []));
  const env = {
    PATH: '/image/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/tmp',
    ...(readOnly
      ? {}
      : { ...Object.fromEntries(network), npm_config_cache: '/image/cache', npm_config_userconfig: '/image/npmrc' }),
    ...inside.env,
  };
  const paths = [root, system.node, system.npm, system.npmrc, system.npmCache, system.accounts];
  const options = [String(uid), cwd, readOnly ? 'yes' : 'no', volumes.join(' ')];
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const script = ['bash', '-c', ENTER, 'enter', ...paths, ...options, 'env', '-i', ...variables, ...command];
  return ['unshare', ['--mount', '--propagation', 'private', ...script]];
}
