import type { ConnectorCall } from '../connector.ts';
import type { SourceGroup, SourcePermissions, SourceRef } from '../source.ts';
import { SourceError } from '../source-error.ts';
import type { Account, GithubApi, Repository } from './github-api.ts';
import { parseItemId, type RepoName, textOfRepo } from './item-id.ts';

const isPublic = (repository: Repository): boolean => !repository.private && repository.visibility !== 'internal';

/** All who may read a repository that is not public. */
const groupOf = (repo: RepoName): string => `group:github:${textOfRepo(repo).toLowerCase()}`;

const outOfReach = (error: unknown): boolean =>
  error instanceof SourceError && (error.kind === 'gone' || error.kind === 'forbidden');

/** A public repository is everyone's; any other belongs to a group of its own. One that is out of reach is nobody's. */
export async function* readPermissions(
  api: GithubApi,
  call: ConnectorCall,
  repos: readonly RepoName[],
  refs: readonly SourceRef[],
): AsyncGenerator<SourcePermissions, void, void> {
  const known = new Map<RepoName, readonly string[]>();
  for (const ref of refs) {
    const repo = parseItemId(ref.id, repos)?.repo;
    if (repo !== undefined && !known.has(repo)) known.set(repo, await readersOf(api, call, repo));
    yield { id: ref.id, principals: (repo && known.get(repo)) ?? [] };
  }
}

async function readersOf(api: GithubApi, call: ConnectorCall, repo: RepoName): Promise<readonly string[]> {
  try {
    return [isPublic(await api.repository(call, repo)) ? 'public' : groupOf(repo)];
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
  repos: readonly RepoName[],
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
      yield { principal: groupOf(repo), members: [...members] };
    } catch (error) {
      if (!outOfReach(error)) throw error;
      yield { principal: groupOf(repo), members: [] };
    }
  }
}
