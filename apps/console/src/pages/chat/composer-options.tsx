import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import { languageModelsQuery } from '#api/model-queries.ts';
import type { Question } from '#pages/chat/use-chat.ts';
import { useCollections } from '#pages/collections/use-collections.ts';
import { t } from '#texts/texts.ts';
import { SelectField } from '#ui/field.tsx';
import { Icon } from '#ui/icon.tsx';

const STALE_MS = 60_000;

/** What a question is asked about, and who answers it. Empty for the default. */
export interface Choices {
  readonly collection: string;
  readonly agentId: string;
  readonly model: string;
}

export const NO_CHOICES: Choices = { collection: '', agentId: '', model: '' };

/** The fields of a question for the choices. */
export const questionFields = ({ collection, agentId, model }: Choices): Omit<Question, 'message'> => ({
  ...(collection === '' ? {} : { collections: [collection] }),
  ...(agentId === '' ? {} : { agentId }),
  ...(model === '' ? {} : { model }),
});

/** A button that opens the choice of collection, agent and model. */
export function ComposerOptions({
  choices,
  onChange,
}: {
  readonly choices: Choices;
  readonly onChange: (choices: Choices) => void;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const count = Object.values(choices).filter((chosen) => chosen !== '').length;
  return (
    <>
      <button
        type="button"
        className="composer-toggle"
        aria-expanded={isOpen}
        aria-controls="composer-options"
        onClick={() => setIsOpen(!isOpen)}
      >
        <Icon name="options" size={16} />
        {t('chat.options')}
        {count === 0 ? null : <span className="source-number">{count}</span>}
      </button>
      <div className="composer-options" id="composer-options" hidden={!isOpen}>
        {isOpen ? <Fields choices={choices} onChange={onChange} /> : null}
      </div>
    </>
  );
}

function Fields({ choices, onChange }: { readonly choices: Choices; readonly onChange: (choices: Choices) => void }) {
  const collections = useCollections();
  const models = useQuery({ ...languageModelsQuery, staleTime: STALE_MS });
  const agents = useQuery({
    queryKey: ['agents', 'choices'],
    queryFn: async ({ signal }) => (await lectern().agents.list({ limit: 100 }, { signal })).items,
    staleTime: STALE_MS,
  });
  const defaultModel = models.data?.find((candidate) => candidate.default)?.id;
  return (
    <>
      <SelectField
        label={t('chat.collection')}
        value={choices.collection}
        onChange={(collection) => onChange({ ...choices, collection })}
        options={[
          { value: '', label: t('chat.allCollections') },
          ...(collections.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <SelectField
        label={t('chat.agent')}
        value={choices.agentId}
        onChange={(agentId) => onChange({ ...choices, agentId })}
        options={[
          { value: '', label: t('chat.noAgent') },
          ...(agents.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <SelectField
        label={t('chat.model')}
        value={choices.model}
        onChange={(model) => onChange({ ...choices, model })}
        options={[
          {
            value: '',
            label:
              defaultModel === undefined
                ? t('chat.defaultModel')
                : t('chat.defaultModelNamed', { model: defaultModel }),
          },
          ...(models.data ?? []).map(({ id }) => ({ value: id, label: id })),
        ]}
      />
    </>
  );
}
