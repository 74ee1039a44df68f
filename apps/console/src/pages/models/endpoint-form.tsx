import { useRef, useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import type { ModelEndpoint, ModelPrice } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { endpointHost } from '#pages/models/endpoint-host.ts';
import { EMPTY_MODEL, type ModelRow, mergedPrices, modelsOf, rowOf } from '#pages/models/endpoint-models.ts';
import { EndpointReport } from '#pages/models/endpoint-report.tsx';
import { ModelRows } from '#pages/models/model-rows.tsx';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Checkbox, SelectField, TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { NameField } from '#ui/name-field.tsx';

const KINDS = [
  { value: 'compatible', label: t('models.endpoints.kinds.compatible') },
  { value: 'anthropic', label: t('models.endpoints.kinds.anthropic') },
  { value: 'openai', label: t('models.endpoints.kinds.openai') },
] as const;

type Kind = (typeof KINDS)[number]['value'];

const kindOf = ({ provider, url }: Pick<ModelEndpoint, 'provider' | 'url'>): Kind =>
  provider === 'openai' && url !== null ? 'compatible' : provider;

/** Adds or edits a model endpoint. A test lists its models. */
export function EndpointForm({
  endpoint,
  prices,
  onDone,
}: {
  readonly endpoint?: ModelEndpoint;
  readonly prices: readonly ModelPrice[];
  readonly onDone: () => void;
}) {
  const [kind, setKind] = useState<Kind>(endpoint === undefined ? 'compatible' : kindOf(endpoint));
  const [name, setName] = useState(endpoint?.name ?? '');
  const [address, setAddress] = useState(endpoint?.url ?? '');
  const [key, setKey] = useState('');
  const [removesKey, setRemovesKey] = useState(false);
  const [opened] = useState<readonly ModelRow[]>(() =>
    (endpoint?.models ?? [EMPTY_MODEL]).map((model, at) => rowOf(at, model, prices)),
  );
  const [rows, setRows] = useState(opened);
  /** The endpoint that an earlier attempt has created, if only its prices could not be saved. */
  const created = useRef(endpoint?.id);
  const provider: ModelEndpoint['provider'] = kind === 'anthropic' ? 'anthropic' : 'openai';
  const url = kind === 'openai' || address.trim() === '' ? null : address.trim();
  const secret = key === '' ? {} : { key };
  const canRemoveKey = endpoint?.hasKey === true && kind === 'compatible';
  const test = useChange(() => {
    const [first] = rows.filter(({ id }) => id.trim() !== '');
    const model = first === undefined ? {} : { model: first.id.trim() };
    // Without its id, the stored key is not used.
    const target = endpoint === undefined || removesKey ? { provider } : { id: endpoint.id };
    return lectern().modelEndpoints.test({ ...target, url, ...secret, ...model });
  }, []);
  const save = useChange(
    async () => {
      const fields = { name, url, models: modelsOf(rows) };
      if (created.current === undefined) {
        created.current = (await lectern().modelEndpoints.create({ ...fields, ...secret, provider })).id;
      } else {
        const changedKey = removesKey ? { key: null } : secret;
        await lectern().modelEndpoints.update(created.current, { ...fields, ...changedKey });
      }
      // Prices can have changed since the form was opened.
      const merged = mergedPrices(await lectern().budgets.prices(), opened, rows);
      if (merged !== undefined) await lectern().budgets.setPrices([...merged]);
    },
    ['models', 'model-endpoints', 'model-prices'],
    onDone,
  );
  const host = kind === 'compatible' && url === null ? undefined : endpointHost({ provider, url });
  const error = save.error ?? test.error;
  const needsKey = endpoint?.hasKey !== true && kind !== 'compatible';
  const canTest = (kind !== 'compatible' || url !== null) && (!needsKey || key !== '');
  return (
    <Form
      mutation={save}
      label={t(endpoint === undefined ? 'models.endpoints.add' : 'models.endpoints.save')}
      isIncomplete={name.trim() === '' || !canTest || rows.some(({ id }) => id.trim() === '')}
    >
      {endpoint === undefined ? (
        <SelectField
          label={t('models.endpoints.kind')}
          value={kind}
          options={KINDS}
          onChange={(value) => setKind(KINDS.find((one) => one.value === value)?.value ?? 'compatible')}
        />
      ) : null}
      <NameField value={name} onChange={setName} error={save.error} />
      {kind === 'openai' ? null : (
        <TextField
          label={t(kind === 'compatible' ? 'models.endpoints.address' : 'models.endpoints.optionalAddress')}
          type="url"
          value={address}
          onChange={setAddress}
          required={kind === 'compatible'}
          placeholder={kind === 'compatible' ? 'http://ollama.example.com:11434/v1' : 'https://'}
          hint={t(kind === 'compatible' ? 'models.endpoints.addressHint' : 'models.endpoints.optionalAddressHint')}
          error={issueOf(error, 'url')}
        />
      )}
      <TextField
        label={t(kind === 'compatible' ? 'models.endpoints.optionalKey' : 'models.endpoints.key')}
        type="password"
        value={key}
        onChange={setKey}
        required={needsKey}
        disabled={removesKey}
        autoComplete="off"
        hint={
          removesKey
            ? undefined
            : t(endpoint?.hasKey === true ? 'models.endpoints.keptHint' : 'models.endpoints.keyHint')
        }
        error={issueOf(error, 'key')}
      />
      {canRemoveKey ? (
        <Checkbox
          label={t('models.endpoints.removeKey')}
          isChecked={removesKey}
          onChange={(isChecked) => {
            setRemovesKey(isChecked);
            setKey('');
          }}
        />
      ) : null}
      <p className="notice notice-warn">
        {host === undefined ? t('models.endpoints.leavesToAddress') : t('models.endpoints.leaves', { host })}
      </p>
      <div className="row">
        <Button isBusy={test.isPending} disabled={!canTest} onClick={() => test.mutate()}>
          {t('models.endpoints.testAndList')}
        </Button>
      </div>
      {test.error ? <ErrorNotice error={test.error} /> : null}
      {test.data === undefined ? null : <EndpointReport report={test.data} />}
      <ModelRows
        rows={rows}
        listed={test.data?.models ?? []}
        error={issueOf(save.error, 'models')}
        onChange={setRows}
      />
    </Form>
  );
}
