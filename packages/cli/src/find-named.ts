import { CliError, usageError } from '#cli-error';

interface Named {
  readonly id: string;
  readonly name: string;
}

/**
 * Finds an item by its id or name. `kind` and `listCommand` are for the error messages. Throws
 * `CliError` if no item or several items match.
 */
export function findNamed<T extends Named>(
  items: readonly T[],
  nameOrId: string,
  { kind, listCommand }: { readonly kind: string; readonly listCommand: string },
): T {
  const matches = items.filter(({ id, name }) => id === nameOrId || name === nameOrId);
  const [found] = matches;
  if (found === undefined) {
    throw new CliError(`The ${kind} ${nameOrId} does not exist. List the ${kind}s with: ${listCommand}`, {
      code: 'not_found',
    });
  }
  if (matches.length > 1) throw usageError(`${matches.length} ${kind}s are named ${nameOrId}. Use the id instead.`);
  return found;
}
