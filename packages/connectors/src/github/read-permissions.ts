import type { ConnectorCall } from '../connector.ts';
import { publicAddresses } from '../host.ts';
import { groupPrincipal } from '../settings/group-principal.ts';
import type { SourceGroup, SourcePermissions, SourceRef } from '../source.ts';
import { SourceError } from '../source-error.ts';
import type { Account, GithubApi, Repository } from './github-api.ts';
import { parseItemId, type RepoName } from './item-id.ts';

/** Repositories on the server whose API is at `address`. */
export interface RepositoriesAt {
  readonly repos: readonly RepoName[];
  readonly address: string;
}

const isPublic = (repository: Repository): boolean => !repository.private && repository.visibility !== 'internal';

/**
 * All who may read a repository that is not public. Names of owners are unique on a server: another than github.com, which is the
 * operator's choice and may change, stands before them.
 */
export function groupOf({ owner, name }: RepoName, address: string): string {
  const { host } = new URL(address);
  const isPublicSite = host === new URL(publicAddresses.github).host;
  return groupPrincipal('github', name, isPublicSite ? owner : `${host}/${owner}`).toLowerCase();
}

const outOfReach = (error: unknown): boolean =>
  error instanceof SourceError && ['gone', 'forbidden', 'invalid'].includes(error.kind);

/** A public repository is everyone's; any other belongs to a group of its own. One that is out of reach is nobody's. */
export async function* readPermissions(
  api: GithubApi,
  call: ConnectorCall,
  { repos, address }: RepositoriesAt,
  refs: readonly SourceRef[],
): AsyncGenerator<SourcePermissions, void, void> {
  const known = new Map<RepoName, readonly string[]>();
  for (const ref of refs) {
    const repo = parseItemId(ref.id, repos)?.repo;
    if (repo !== undefined && !known.has(repo)) known.set(repo, await readersOf(api, call, repo, address));
    yield { id: ref.id, principals: (repo && known.get(repo)) ?? [] };
  }
}

async function readersOf(
  api: GithubApi,
  call: ConnectorCall,
  repo: RepoName,
  address: string,
): Promise<readonly string[]> {
  try {
    return [isPublic(await api.repository(call, repo)) ? 'public' : groupOf(repo, address)];
  } catch (error) {
    if (outOfReach(error)) return [];
    throw error;
  }
}

/** By e-mail where the account shows one, else by its number. An account that is asked for twice is read once. */
function createNaming(api: GithubApi, call: ConnectorCall): (account: Account) => Promise<string> {
  const names = new Map<number, string>();
  return async (account) => {
    let name = names.get(account.id);
    if (name === undefined) {
      const email = account.email ?? (await emailOf(api, call, account.login));
      name = email ? `user:${email.toLowerCase()}` : `user:github:${account.id}`;
      names.set(account.id, name);
    }
    return name;
  };
}

async function emailOf(api: GithubApi, call: ConnectorCall, login: string): Promise<string | undefined> {
  try {
    return (await api.user(call, login)).email ?? undefined;
  } catch (error) {
    if (outOfReach(error)) return undefined;
    throw error;
  }
}

/**
 * The groups of repositories that are not public: collaborators, and for internal ones the organisation's members. GitHub tells them to
 * tokens with push access; where it does not, the group has no members and nobody may read.
 */
export async function* readGroups(
  api: GithubApi,
  call: ConnectorCall,
  { repos, address }: RepositoriesAt,
): AsyncGenerator<SourceGroup, void, void> {
  const nameOf = createNaming(api, call);
  for (const repo of repos) {
    try {
      const repository = await api.repository(call, repo);
      if (isPublic(repository)) continue;
      const accounts = [...(await api.collaborators(call, repo))];
      if (repository.visibility === 'internal') accounts.push(...(await api.members(call, repo.owner)));
      const members = new Set<string>();
      for (const account of accounts) members.add(await nameOf(account));
      yield { principal: groupOf(repo, address), members: [...members] };
    } catch (error) {
      if (!outOfReach(error)) throw error;
      yield { principal: groupOf(repo, address), members: [] };
    }
  }
}
