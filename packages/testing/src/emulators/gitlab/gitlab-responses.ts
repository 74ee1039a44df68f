import type {
  GitlabIssuable,
  GitlabMember,
  GitlabModel,
  GitlabNote,
  GitlabProject,
  GitlabWikiPage,
} from '#emulators/gitlab/gitlab-model';

/** The parts of GitLab's responses that clients read. `origin` is the address of the instance. */
export function createResponses({ users }: GitlabModel, origin: () => string) {
  const userJson = (id: number) => {
    const user = users.get(id);
    return {
      id,
      username: (user?.name ?? `ghost-${id}`).toLowerCase(),
      name: user?.name ?? 'Ghost User',
      state: user?.state ?? 'active',
      locked: false,
      avatar_url: null,
      web_url: `${origin()}/${(user?.name ?? 'ghost').toLowerCase()}`,
    };
  };
  return {
    user: userJson,
    /** https://docs.gitlab.com/api/projects/#retrieve-a-project */
    project: (project: GitlabProject) => {
      const { commits, defaultBranch } = project.repository;
      const isEmpty = commits.size === 0;
      return {
        id: project.id,
        name: project.path.split('/').at(-1),
        path_with_namespace: project.path,
        web_url: `${origin()}/${project.path}`,
        // Left out for accounts that must not read the code.
        ...(project.forbidden.has('repository') ? {} : { default_branch: isEmpty ? null : defaultBranch }),
        visibility: project.visibility,
        archived: project.isArchived,
        empty_repo: isEmpty,
        topics: [],
        repository_access_level: project.levels.repository,
        issues_access_level: project.levels.issues,
        merge_requests_access_level: project.levels.merge_requests,
        wiki_access_level: project.levels.wiki,
      };
    },
    /** https://docs.gitlab.com/api/issues/ and https://docs.gitlab.com/api/merge_requests/ */
    issuable: (project: GitlabProject, kind: 'issues' | 'merge_requests', issuable: GitlabIssuable) => ({
      id: project.id * 100_000 + issuable.iid,
      iid: issuable.iid,
      project_id: project.id,
      title: issuable.title,
      description: issuable.description,
      state: issuable.state,
      labels: issuable.labels,
      milestone: null,
      created_at: issuable.createdAt,
      updated_at: issuable.updatedAt,
      author: userJson(issuable.author),
      assignees: issuable.assignees.map(userJson),
      web_url: `${origin()}/${project.path}/-/${kind}/${issuable.iid}`,
      ...(kind === 'issues'
        ? { confidential: issuable.isConfidential, issue_type: 'issue', type: 'ISSUE' }
        : { source_branch: `topic-${issuable.iid}`, target_branch: 'main', draft: false }),
    }),
    /** https://docs.gitlab.com/api/notes/ */
    note: (note: GitlabNote, id: number) => ({
      id,
      type: null,
      body: note.body,
      author: userJson(note.author),
      created_at: note.createdAt,
      updated_at: note.createdAt,
      system: note.system ?? false,
      confidential: note.internal ?? false,
      internal: note.internal ?? false,
      resolvable: false,
    }),
    /** https://docs.gitlab.com/api/wikis/ */
    wikiPage: (slug: string, page: GitlabWikiPage, withContent: boolean) => ({
      format: page.format,
      slug,
      title: page.title,
      ...(withContent ? { content: page.content, encoding: 'UTF-8' } : {}),
    }),
    /** https://docs.gitlab.com/api/project_members/ */
    member: (member: GitlabMember) => ({
      ...userJson(member.user),
      access_level: member.level,
      created_at: '2026-01-01T00:00:00.000Z',
      expires_at: member.expiresAt ?? null,
      membership_state: member.membershipState ?? 'active',
      ...(member.showsEmail === true ? { email: users.get(member.user)?.email } : {}),
    }),
    /** https://docs.gitlab.com/api/users/#as-an-administrator */
    directoryUser: (id: number) => {
      const user = users.get(id);
      const confirmed_at = user?.isConfirmed === true ? '2026-01-01T00:00:00.000Z' : null;
      return { ...userJson(id), email: user?.email, confirmed_at, external: user?.isExternal, is_admin: false };
    },
  };
}
