import { useState } from 'react';
import { useLocation } from 'wouter';
import { lectern } from '#api/lectern.ts';
import { useChange } from '#api/use-change.ts';
import { CollectionField } from '#pages/collections/collection-field.tsx';
import { useCollections } from '#pages/collections/use-collections.ts';
import { beginOAuth } from '#pages/connectors/begin-oauth.ts';
import { configFields, type TypeSpec } from '#pages/connectors/connector-fields.ts';
import { toSettings, type Values } from '#pages/connectors/form-values.ts';
import { ReportView } from '#pages/connectors/report-view.tsx';
import { SET_UP_GUIDES } from '#pages/connectors/set-up-guides.ts';
import { SetUpSteps } from '#pages/connectors/set-up-steps.tsx';
import { CredentialFields, SettingsFields } from '#pages/connectors/settings-fields.tsx';
import { stepsToRepeat } from '#pages/connectors/steps-to-repeat.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { SelectField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { NameField } from '#ui/name-field.tsx';

/** Creates a connector: a guide for the source, and a form whose settings can be tested first. */
export function ConnectorForm({ spec }: { readonly spec: TypeSpec }) {
  const [, navigate] = useLocation();
  const collections = useCollections();
  const [name, setName] = useState(spec.label);
  const [chosen, setCollection] = useState('');
  const [config, setConfig] = useState<Values>({});
  const [credentials, setCredentials] = useState<Values>({});
  const [access, setAccess] = useState<'oauth' | 'credentials'>('oauth');
  const isOAuth = spec.isOAuth === true && access === 'oauth';
  const collection = chosen || (collections.data?.[0]?.id ?? '');
  const fields = configFields(spec);
  const settings = () => ({
    type: spec.type,
    config: toSettings(fields, config),
    credentials: toSettings(spec.credentials, credentials),
  });
  const test = useChange(() => lectern().connectors.testSettings(settings()), []);
  const create = useChange(async () => {
    test.reset();
    if (isOAuth) return beginOAuth(spec.type, { name, collection });
    const created = await lectern().connectors.create({ name, collection, ...settings() });
    navigate(`/connectors/${created.id}`);
  }, ['connectors', 'collections']);
  const error = create.error ?? test.error;
  const needsNoTest = isOAuth || spec.acceptsItems || spec.type === 'upload';
  const guide = SET_UP_GUIDES[spec.type];
  const repeated = test.data === undefined ? [] : stepsToRepeat(spec.type, test.data);

  return (
    <>
      {guide === undefined ? null : <SetUpSteps guide={guide} label={spec.label} repeated={repeated} />}
      <Form
        isCard
        mutation={create}
        label={isOAuth ? t('connectors.authorizeWith', { type: spec.label }) : t('connectors.connect')}
        isIncomplete={collection === '' || name.trim() === ''}
        actions={
          needsNoTest ? null : (
            <Button
              isBusy={test.isPending}
              onClick={() => {
                create.reset();
                test.mutate();
              }}
            >
              {t('connectors.testConnection')}
            </Button>
          )
        }
      >
        <div className="form-grid">
          <NameField value={name} onChange={setName} error={error} />
          <CollectionField value={collection} onChange={setCollection} />
        </div>
        {spec.access ? (
          <SelectField
            label={t('connectors.access')}
            value={access}
            onChange={(value) => setAccess(value === 'credentials' ? 'credentials' : 'oauth')}
            options={[
              { value: 'oauth', label: spec.access.oauth },
              { value: 'credentials', label: spec.access.credentials },
            ]}
          />
        ) : null}
        {isOAuth ? (
          <p className="muted">{t('connectors.oauthHint', { type: spec.label })}</p>
        ) : (
          <>
            <SettingsFields fields={fields} root="config" values={config} error={error} onChange={setConfig} />
            <CredentialFields
              spec={spec}
              label={t('connectors.credentials')}
              hint={`${spec.credentialsHint ?? ''} ${t('connectors.credentialsStored')}`}
              values={credentials}
              error={error}
              onChange={setCredentials}
            />
          </>
        )}
        {needsNoTest ? null : <p className="muted small">{t('connectors.report.order')}</p>}
        {test.data ? <ReportView report={test.data} type={spec.type} /> : null}
        {test.error ? <ErrorNotice error={test.error} /> : null}
      </Form>
    </>
  );
}
