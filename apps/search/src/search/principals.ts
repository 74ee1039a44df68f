/**
 * Who a search is made for, as documents name their readers. Without an end user the key's scope alone decides; with one, only
 * what is public or names that user. Groups join here once their members are known.
 */
export function principalsOf(userEmail: string | undefined): readonly string[] | undefined {
  return userEmail === undefined ? undefined : ['public', `user:${userEmail}`];
}
