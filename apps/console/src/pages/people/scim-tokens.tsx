import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import type { NewScimToken, ScimToken } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { usePaged } from '#api/use-paged.ts';
import { t } from '#texts/texts.ts';
import { Ago } from '#ui/ago.tsx';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { CopyField } from '#ui/copy-field.tsx';
import { TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { Listing } from '#ui/listing.tsx';
import { RichText } from '#ui/rich-text.tsx';
import { Sheet } from '#ui/sheet.tsx';

function ScimTokenForm({ onDone }: { readonly onDone: (created: NewScimToken) => void }) {
  const [name, setName] = useState('');
  const [provider, setProvider] = useState('');
  const create = useChange(() => lectern().people.createScimToken({ name, provider }), ['scim-tokens'], onDone);
  return (
    <Form mutation={create} label={t('people.scim.create')} isIncomplete={name.trim() === '' || provider === ''}>
      <TextField
        label={t('ui.name')}
        value={name}
        onChange={setName}
        placeholder={t('people.scim.namePlaceholder')}
        error={issueOf(create.error, 'name')}
        required
        autoFocus
      />
      <TextField
        label={t('people.scim.provider')}
        value={provider}
        onChange={setProvider}
        placeholder="okta"
        hint={t('people.scim.providerHint')}
        error={issueOf(create.error, 'provider')}
        spellCheck={false}
        required
      />
    </Form>
  );
}

function ScimTokenItem({ token: { id, name, provider, createdAt, lastUsedAt } }: { readonly token: ScimToken }) {
  const revoke = useChange(() => lectern().people.deleteScimToken(id), ['scim-tokens']);
  return (
    <li className="card row row-apart">
      <div className="grow">
        <h2>{name}</h2>
        <p className="muted small">
          <RichText
            name="people.scim.providerAndTimes"
            values={{ provider }}
            elements={{ used: <Ago time={lastUsedAt} />, created: <Ago time={createdAt} /> }}
          />
        </p>
      </div>
      <Confirm
        label={t('people.scim.revoke')}
        question={t('people.scim.revokeQuestion', { name })}
        done={t('people.scim.revoked', { name })}
        mutation={revoke}
      >
        <p>{t('people.scim.revokeEffect', { provider })}</p>
      </Confirm>
    </li>
  );
}

/** The tokens with which identity providers manage people and groups. */
export function ScimTokens() {
  const [isCreating, setIsCreating] = useState(false);
  const [created, setCreated] = useState<NewScimToken>();
  const tokens = usePaged(['scim-tokens'], (page, options) =>
    lectern().people.scimTokens({ page, limit: 20 }, options),
  );
  return (
    <section className="stack" aria-label="SCIM">
      <div className="row row-apart">
        <p className="muted grow">{t('people.scim.intro')}</p>
        <Button onClick={() => setIsCreating(true)}>{t('people.scim.new')}</Button>
      </div>
      <Listing paging={tokens} what={t('people.scim.what')} empty={<p className="muted">{t('people.scim.none')}</p>}>
        {(items) => (
          <ul className="plain-list">
            {items.map((token) => (
              <ScimTokenItem key={token.id} token={token} />
            ))}
          </ul>
        )}
      </Listing>
      <Sheet title={t('people.scim.newTitle')} side="middle" isOpen={isCreating} onOpenChange={setIsCreating}>
        <ScimTokenForm
          onDone={(token) => {
            setIsCreating(false);
            setCreated(token);
          }}
        />
      </Sheet>
      <Sheet
        title={t('people.scim.createdTitle')}
        description={t('people.scim.createdHint')}
        side="middle"
        isOpen={created !== undefined}
        onOpenChange={() => setCreated(undefined)}
      >
        {created === undefined ? null : (
          <>
            <CopyField label={t('people.scim.token')} value={created.token} />
            <CopyField label={t('people.scim.baseUrl')} value={created.url} />
          </>
        )}
      </Sheet>
    </section>
  );
}
