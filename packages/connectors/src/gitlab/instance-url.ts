/** The address of GitLab.com. */
export const GITLAB_COM = 'https://gitlab.com';

/** Returns the address of an instance without a slash at the end. It can have a path. */
export const baseOf = (instanceUrl: string): string => {
  const { origin, pathname } = new URL(instanceUrl);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
};

/** Returns the site in the names of groups: host and port, plus the path of the instance. */
export const siteOf = (base: string): string => base.replace(/^https?:\/\//, '');
