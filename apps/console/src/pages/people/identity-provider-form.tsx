import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import type { IdentityProvider } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { useRole } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { Checkbox, SelectField, TextArea, TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { linesOf } from '#ui/lines-of.ts';

const ROLES = (['member', 'editor', 'admin'] as const).map((value) => ({ value, label: t(`people.roles.${value}`) }));

type DefaultRole = IdentityProvider['defaultRole'];

const EMPTY = {
  name: '',
  slug: '',
  issuer: '',
  clientId: '',
  scopes: ['profile', 'email'],
  domains: [],
  defaultRole: 'member' as DefaultRole,
  trustsAddresses: false,
  allowsOwners: false,
  groupsClaim: 'groups',
  isShown: true,
};

/** Adds an identity provider, or edits one. */
export function IdentityProviderForm({
  provider,
  onDone,
}: {
  readonly provider?: IdentityProvider;
  readonly onDone: (saved: IdentityProvider) => void;
}) {
  const isOwner = useRole('owner');
  const [values, setValues] = useState({ ...EMPTY, ...provider });
  const [scopes, setScopes] = useState(values.scopes.join(', '));
  const [domains, setDomains] = useState(values.domains.join('\n'));
  const [clientSecret, setClientSecret] = useState('');
  const set = (changes: Partial<typeof values>) => setValues((before) => ({ ...before, ...changes }));
  const save = useChange(
    async () => {
      const { name, slug, issuer, clientId, defaultRole, trustsAddresses, allowsOwners, groupsClaim, isShown } = values;
      const settings = {
        ...{ name, clientId, defaultRole, trustsAddresses, allowsOwners, groupsClaim, isShown },
        scopes: linesOf(scopes.replaceAll(' ', ',')),
        domains: linesOf(domains),
      };
      const { client } = lectern();
      if (provider === undefined) {
        return client.call('createIdentityProvider', { body: { ...settings, slug, issuer, clientSecret } });
      }
      const body = { ...settings, ...(clientSecret === '' ? {} : { clientSecret }) };
      return client.call('updateIdentityProvider', { path: { id: provider.id }, body });
    },
    ['identity-providers', 'sign-in-providers'],
    onDone,
  );
  const isNew = provider === undefined;
  const isIncomplete =
    values.name.trim() === '' ||
    values.clientId.trim() === '' ||
    (isNew && (values.slug === '' || values.issuer === '' || clientSecret === ''));
  return (
    <Form
      mutation={save}
      done={t(isNew ? 'people.providers.added' : 'people.providers.saved')}
      label={t(isNew ? 'people.providers.add' : 'people.providers.save')}
      isIncomplete={isIncomplete}
    >
      <TextField
        label={t('ui.name')}
        value={values.name}
        onChange={(name) => set({ name })}
        hint={t('people.providers.nameHint')}
        error={issueOf(save.error, 'name')}
        required
        autoFocus
      />
      {isNew ? (
        <>
          <TextField
            label={t('people.providers.slug')}
            value={values.slug}
            onChange={(slug) => set({ slug })}
            hint={t('people.providers.slugHint')}
            error={issueOf(save.error, 'slug')}
            spellCheck={false}
            required
          />
          <TextField
            label={t('people.providers.issuer')}
            spellCheck={false}
            value={values.issuer}
            onChange={(issuer) => set({ issuer })}
            hint={t('people.providers.issuerHint')}
            error={issueOf(save.error, 'issuer')}
            placeholder="https://example.okta.com"
            required
          />
        </>
      ) : null}
      <TextField
        label={t('people.providers.clientId')}
        value={values.clientId}
        onChange={(clientId) => set({ clientId })}
        error={issueOf(save.error, 'clientId')}
        autoComplete="off"
        spellCheck={false}
        required
      />
      <TextField
        label={t('people.providers.clientSecret')}
        type="password"
        value={clientSecret}
        onChange={setClientSecret}
        hint={t(isNew ? 'people.providers.newSecretHint' : 'people.providers.keepSecretHint')}
        error={issueOf(save.error, 'clientSecret')}
        autoComplete="off"
        required={isNew}
      />
      <TextArea
        label={t('people.providers.domains')}
        value={domains}
        onChange={setDomains}
        hint={t('people.providers.domainsHint')}
        error={issueOf(save.error, 'domains')}
        rows={2}
      />
      <SelectField
        label={t('people.providers.defaultRole')}
        value={values.defaultRole}
        options={ROLES}
        onChange={(chosen) => set({ defaultRole: ROLES.find(({ value }) => value === chosen)?.value ?? 'member' })}
      />
      <details>
        <summary>{t('people.providers.more')}</summary>
        <div className="stack">
          <TextField
            label={t('people.providers.scopes')}
            value={scopes}
            onChange={setScopes}
            hint={t('people.providers.scopesHint')}
            error={issueOf(save.error, 'scopes')}
          />
          <TextField
            label={t('people.providers.groupsClaim')}
            value={values.groupsClaim}
            onChange={(groupsClaim) => set({ groupsClaim })}
            error={issueOf(save.error, 'groupsClaim')}
          />
          <Checkbox
            label={t('people.providers.isShown')}
            isChecked={values.isShown}
            onChange={(isShown) => set({ isShown })}
          />
          <Checkbox
            label={t('people.providers.trustsAddresses')}
            isChecked={values.trustsAddresses}
            onChange={(trustsAddresses) => set({ trustsAddresses })}
          />
          {isOwner ? (
            <Checkbox
              label={t('people.providers.allowsOwners')}
              isChecked={values.allowsOwners}
              onChange={(allowsOwners) => set({ allowsOwners })}
            />
          ) : null}
        </div>
      </details>
    </Form>
  );
}
