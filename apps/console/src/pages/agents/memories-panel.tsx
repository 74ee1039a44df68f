import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { Memory } from '#api/types.ts';
import { usePaged } from '#api/use-paged.ts';
import { MemoryForm } from '#pages/agents/memory-form.tsx';
import { MemoryItem } from '#pages/agents/memory-item.tsx';
import { KINDS, type Kind } from '#pages/agents/memory-kinds.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { SelectField, TextField } from '#ui/field.tsx';
import { Listing } from '#ui/listing.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { Sheet } from '#ui/sheet.tsx';

const KIND_OPTIONS = [
  { value: '', label: t('agents.memories.allKinds') },
  ...KINDS.map(({ value, label }) => ({ value, label })),
];

/** Lists, searches and edits the memories of an agent. */
export function MemoriesPanel({ agentId }: { readonly agentId: string }) {
  const [kind, setKind] = useState<Kind>();
  const [typed, setTyped] = useState('');
  const [query, setQuery] = useState('');
  const [editing, setEditing] = useState<Memory | 'new'>();
  const kindFilter = kind === undefined ? {} : { kind };
  const paging = usePaged(
    ['memories', agentId, kind],
    (page, options) => lectern().agents.memories.list(agentId, { page, limit: 20, ...kindFilter }, options),
    { enabled: query === '' },
  );
  const found = useQuery({
    queryKey: ['memories', agentId, 'search', query, kind],
    queryFn: ({ signal }) => lectern().agents.memories.search(agentId, { query, limit: 20, ...kindFilter }, { signal }),
    enabled: query !== '',
  });
  const close = () => setEditing(undefined);
  const renderMemories = (items: readonly (Memory & { readonly score?: number })[]) => (
    <ul className="plain-list">
      {items.map((memory) => (
        <MemoryItem key={memory.id} memory={memory} onEdit={() => setEditing(memory)} />
      ))}
    </ul>
  );

  return (
    <section className="stack" aria-label={t('agents.memories.title')}>
      <form
        className="search-form"
        onSubmit={(event) => {
          event.preventDefault();
          setQuery(typed.trim());
        }}
      >
        <TextField
          label={t('agents.memories.search')}
          type="search"
          value={typed}
          onChange={setTyped}
          maxLength={2_000}
        />
        <SelectField
          label={t('agents.memories.kind')}
          value={kind ?? ''}
          options={KIND_OPTIONS}
          onChange={(chosen) => {
            paging.setPage(1);
            setKind(KINDS.find(({ value }) => value === chosen)?.value);
          }}
        />
        <Button type="submit">{t('agents.memories.submit')}</Button>
      </form>
      <div className="row">
        <Button isPrimary onClick={() => setEditing('new')}>
          {t('agents.memories.add')}
        </Button>
        {query === '' ? null : (
          <Button
            onClick={() => {
              setTyped('');
              setQuery('');
            }}
          >
            {t('agents.memories.showAll')}
          </Button>
        )}
      </div>
      {query === '' ? (
        <Listing
          paging={paging}
          what={t('agents.what.memories')}
          empty={
            <Empty title={t('agents.memories.none')}>
              <p>{t('agents.memories.noneHint')}</p>
            </Empty>
          }
        >
          {renderMemories}
        </Listing>
      ) : (
        <QueryView query={found} what={t('agents.what.memories')}>
          {(hits) => (hits.length === 0 ? <Empty title={t('agents.memories.noneMatching')} /> : renderMemories(hits))}
        </QueryView>
      )}
      <Sheet
        title={t(editing === 'new' ? 'agents.memories.add' : 'agents.memories.edit')}
        side="middle"
        isOpen={editing !== undefined}
        onOpenChange={close}
      >
        {editing === undefined ? null : (
          <MemoryForm agentId={agentId} {...(editing === 'new' ? {} : { memory: editing })} onDone={close} />
        )}
      </Sheet>
    </section>
  );
}
