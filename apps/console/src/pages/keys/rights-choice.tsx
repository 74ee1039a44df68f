import type { KeyPair } from '#api/types.ts';
import { Checkbox } from '#ui/field.tsx';

export type Right = KeyPair['rights'][number];

/** The rights with their labels and what they allow. */
const RIGHTS: Readonly<Record<Right, { readonly label: string; readonly allows: string }>> = {
  search: { label: 'Search', allows: 'search documents, and create tokens for users of your web pages' },
  chat: { label: 'Chat', allows: 'ask questions and read conversations' },
  'documents:read': { label: 'Read documents', allows: 'list collections and read documents' },
  'documents:write': { label: 'Change documents', allows: 'add and delete documents, change collections and synonyms' },
  connectors: { label: 'Connectors', allows: 'manage connectors, syncs and uploaded files' },
  agents: { label: 'Agents', allows: 'manage and run agents, which search and chat' },
  analytics: { label: 'Analytics', allows: 'record events and read the usage' },
  keys: { label: 'Keys and people', allows: 'manage keys and people, and read the audit log' },
};

const isRight = (name: string): name is Right => Object.hasOwn(RIGHTS, name);

export const ALL_RIGHTS: readonly Right[] = Object.keys(RIGHTS).filter(isRight);

export const rightLabel = (right: Right): string => RIGHTS[right].label.toLowerCase();

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
      <legend>What the secret key may do</legend>
      {ALL_RIGHTS.map((right) => (
        <Checkbox
          key={right}
          label={
            <>
              {RIGHTS[right].label} <span className="muted small">– {RIGHTS[right].allows}</span>
            </>
          }
          isChecked={chosen.includes(right)}
          onChange={(isChecked) =>
            onChange(ALL_RIGHTS.filter((name) => (name === right ? isChecked : chosen.includes(name))))
          }
        />
      ))}
      {chosen.length === 0 ? <p className="field-error">Choose at least one.</p> : null}
      {chosen.includes('keys') ? (
        <p className="hint">Keys and people also requires access to all collections.</p>
      ) : null}
      {error ? <p className="field-error">{error}</p> : null}
    </fieldset>
  );
}
