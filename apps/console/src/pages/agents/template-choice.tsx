import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import type { Agent, AgentTemplate } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { CollectionChoice } from '#pages/collections/collection-choice.tsx';
import { t } from '#texts/texts.ts';
import { Empty } from '#ui/empty.tsx';
import { TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { QueryView } from '#ui/query-view.tsx';

/** Creates an agent: shows the templates, then a form for the variables of the selected one. */
export function TemplateChoice({ onDone }: { readonly onDone: (agent: Agent) => void }) {
  const [template, setTemplate] = useState<AgentTemplate>();
  const list = useQuery({
    queryKey: ['agent-templates'],
    queryFn: async ({ signal }) => (await lectern().agents.templates({ limit: 100 }, { signal })).items,
  });
  if (template) return <TemplateForm template={template} onDone={onDone} />;
  return (
    <QueryView query={list} what={t('agents.what.templates')}>
      {(templates) =>
        templates.length === 0 ? (
          <Empty title={t('agents.noTemplates')} />
        ) : (
          <ul className="plain-list">
            {templates.map((candidate) => (
              <li key={candidate.id}>
                <button type="button" className="card choice" onClick={() => setTemplate(candidate)}>
                  <strong>{candidate.name}</strong>
                  <span className="muted">{candidate.description}</span>
                </button>
              </li>
            ))}
          </ul>
        )
      }
    </QueryView>
  );
}

function labelOf({ name, required }: AgentTemplate['variables'][number]): string {
  const text = name.replaceAll('_', ' ');
  return required ? t('agents.requiredVariable', { name: text }) : text;
}

function TemplateForm({
  template,
  onDone,
}: {
  readonly template: AgentTemplate;
  readonly onDone: (agent: Agent) => void;
}) {
  const [name, setName] = useState('');
  const [variables, setVariables] = useState<Readonly<Record<string, string>>>({});
  const [collections, setCollections] = useState<readonly string[]>([]);
  const create = useChange(
    () => {
      const filledIn = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
      return lectern().agents.fromTemplate(template.id, {
        ...(name === '' ? {} : { name }),
        collections: [...collections],
        variables: filledIn,
      });
    },
    ['agents'],
    onDone,
  );
  return (
    <Form mutation={create} label={t('agents.create')}>
      <p className="muted">{template.description}</p>
      <TextField
        label={t('ui.name')}
        value={name}
        onChange={setName}
        placeholder={template.name}
        error={issueOf(create.error, 'name')}
      />
      {template.variables.map((variable) => (
        <TextField
          key={variable.name}
          label={labelOf(variable)}
          hint={variable.description}
          placeholder={variable.default ?? ''}
          required={variable.required}
          value={variables[variable.name] ?? ''}
          onChange={(value) => setVariables({ ...variables, [variable.name]: value })}
          error={issueOf(create.error, `variables.${variable.name}`)}
        />
      ))}
      <CollectionChoice label={t('agents.collections')} chosen={collections} onChange={setCollections} />
    </Form>
  );
}
