import { RIGHT_NAMES, type Right } from '#session/rights.ts';
import { t } from '#texts/texts.ts';
import { Checkbox } from '#ui/field.tsx';

/** The rights with their names inside of a line of text, and what they allow. */
const RIGHTS: Readonly<Record<Right, { readonly short: string; readonly allows: string }>> = {
  search: { short: t('keys.rights.search.short'), allows: t('keys.rights.search.allows') },
  chat: { short: t('keys.rights.chat.short'), allows: t('keys.rights.chat.allows') },
  'documents:read': { short: t('keys.rights.readDocuments.short'), allows: t('keys.rights.readDocuments.allows') },
  'documents:write': { short: t('keys.rights.changeDocuments.short'), allows: t('keys.rights.changeDocuments.allows') },
  connectors: { short: t('keys.rights.connectors.short'), allows: t('keys.rights.connectors.allows') },
  agents: { short: t('keys.rights.agents.short'), allows: t('keys.rights.agents.allows') },
  analytics: { short: t('keys.rights.analytics.short'), allows: t('keys.rights.analytics.allows') },
  keys: { short: t('keys.rights.keys.short'), allows: t('keys.rights.keys.allows') },
};

const isRight = (name: string): name is Right => Object.hasOwn(RIGHTS, name);

export const ALL_RIGHTS: readonly Right[] = Object.keys(RIGHTS).filter(isRight);

/** Returns the name of a right, or its code if it has none. */
export const shortRightName = (right: Right): string => RIGHTS[right]?.short ?? right;

/** Checkboxes for what a secret key may do. */
export function RightsChoice({
  chosen,
  onChange,
  error,
}: {
  readonly chosen: readonly Right[];
  readonly onChange: (chosen: readonly Right[]) => void;
  readonly error: string | undefined;
}) {
  return (
    <fieldset>
      <legend>{t('keys.fields.rights')}</legend>
      {ALL_RIGHTS.map((right) => (
        <Checkbox
          key={right}
          label={
            <>
              {RIGHT_NAMES[right]} <span className="muted small">– {RIGHTS[right].allows}</span>
            </>
          }
          isChecked={chosen.includes(right)}
          onChange={(isChecked) =>
            onChange(ALL_RIGHTS.filter((name) => (name === right ? isChecked : chosen.includes(name))))
          }
        />
      ))}
      {chosen.length === 0 ? <p className="field-error">{t('keys.fields.noRights')}</p> : null}
      {chosen.includes('keys') ? <p className="hint">{t('keys.fields.keysNeedAll')}</p> : null}
      {error ? <p className="field-error">{error}</p> : null}
    </fieldset>
  );
}
