import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { Connector } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { configFields, typeSpec } from '#pages/connectors/connector-fields.ts';
import { toChange, toSettings, toValues, type Values } from '#pages/connectors/form-values.ts';
import { CredentialFields, SettingsFields } from '#pages/connectors/settings-fields.tsx';
import { t } from '#texts/texts.ts';
import { Form } from '#ui/form.tsx';
import { NameField } from '#ui/name-field.tsx';

/** Edits the name, settings and credentials of a connector. */
export function EditForm({ connector }: { readonly connector: Connector }) {
  const spec = typeSpec(connector.type);
  const fields = configFields(spec);
  const [name, setName] = useState(connector.name);
  const [config, setConfig] = useState<Values>(() => toValues(fields, connector.config));
  const [credentials, setCredentials] = useState<Values>({});
  const save = useChange(
    () => {
      const newCredentials = toSettings(spec?.credentials ?? [], credentials);
      return lectern().connectors.update(connector.id, {
        name,
        config: toChange(fields, config),
        ...(Object.keys(newCredentials).length === 0 ? {} : { credentials: newCredentials }),
      });
    },
    ['connectors'],
    () => setCredentials({}),
  );
  return (
    <Form mutation={save} label={t('connectors.save')} done={t('connectors.saved')} isCard>
      <NameField value={name} onChange={setName} error={save.error} />
      <SettingsFields fields={fields} root="config" values={config} error={save.error} onChange={setConfig} />
      <CredentialFields
        spec={spec}
        label={t('connectors.newCredentials')}
        hint={t('connectors.newCredentialsHint')}
        values={credentials}
        error={save.error}
        onChange={setCredentials}
      />
    </Form>
  );
}
