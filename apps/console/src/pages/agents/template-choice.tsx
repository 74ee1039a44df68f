import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { call, callPage } from '#api/request.ts';
import type { Agent, AgentTemplate } from '#api/types.ts';
import { CollectionChoice } from '#pages/collections/collection-choice.tsx';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { TextField } from '#ui/field.tsx';
import { Loading } from '#ui/loading.tsx';

/** Makes an agent from a blueprint: which one first, then what it leaves open. */
export function TemplateChoice({ onDone }: { readonly onDone: (agent: Agent) => void }) {
  const [template, setTemplate] = useState<AgentTemplate>();
  const list = useQuery({
    queryKey: ['agent-templates'],
    queryFn: async ({ signal }) =>
      (await callPage<readonly AgentTemplate[]>('GET', '/api/v1/agent-templates', { query: { limit: 100 }, signal }))
        .items,
  });
  if (template) return <TemplateForm template={template} onDone={onDone} />;
  if (list.error) return <ErrorNotice error={list.error} onRetry={() => list.refetch()} />;
  if (list.data === undefined) return <Loading what="templates" />;
  if (list.data.length === 0) return <Empty title="There are no templates" />;
  return (
    <ul className="plain-list">
      {list.data.map((candidate) => (
        <li key={candidate.id}>
          <button type="button" className="card choice" onClick={() => setTemplate(candidate)}>
            <strong>{candidate.name}</strong>
            <span className="muted">{candidate.description}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function TemplateForm({
  template,
  onDone,
}: {
  readonly template: AgentTemplate;
  readonly onDone: (agent: Agent) => void;
}) {
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [variables, setVariables] = useState<Readonly<Record<string, string>>>({});
  const [collections, setCollections] = useState<readonly string[]>([]);
  const create = useMutation({
    mutationFn: () => {
      const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
      return call<Agent>('POST', `/api/v1/agents/from-template/${template.id}`, {
        body: { ...(name === '' ? {} : { name }), collections, variables: given },
      });
    },
    onSuccess: (agent) => {
      void queryClient.invalidateQueries({ queryKey: ['agents'] });
      onDone(agent);
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    create.mutate();
  }
  return (
    <form className="stack" onSubmit={submit}>
      <p className="muted">{template.description}</p>
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        placeholder={template.name}
        error={issueOf(create.error, 'name')}
      />
      {template.variables.map((variable) => (
        <TextField
          key={variable.name}
          label={`${variable.name.replaceAll('_', ' ')}${variable.required ? ' (required)' : ''}`}
          hint={variable.description}
          placeholder={variable.default ?? ''}
          required={variable.required}
          value={variables[variable.name] ?? ''}
          onChange={(value) => setVariables({ ...variables, [variable.name]: value })}
          error={issueOf(create.error, `variables.${variable.name}`)}
        />
      ))}
      <CollectionChoice
        label="Collections (none: all that the key reaches)"
        chosen={collections}
        onChange={setCollections}
      />
      {create.error ? <ErrorNotice error={create.error} /> : null}
      <div className="row row-end">
        <Button type="submit" isPrimary isBusy={create.isPending}>
          Create
        </Button>
      </div>
    </form>
  );
}
