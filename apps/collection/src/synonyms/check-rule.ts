import { invalidRequest } from '@lectern/service-kit';
import { normalizeRule, problemOfRule, type SynonymRule } from '@lectern/text';

/** Returns the normalized rule. Throws `invalid_request` if it is invalid. */
export function checkRule(rule: SynonymRule): { readonly input: string[]; readonly terms: string[] } {
  const { input, terms } = normalizeRule(rule);
  const problem = problemOfRule({ input, terms });
  if (problem !== undefined) throw invalidRequest([{ path: problem.side, message: problem.message }]);
  return { input: [...input], terms: [...terms] };
}
