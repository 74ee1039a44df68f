import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { languageModelsQuery, modelEndpointsQuery, modelPricesQuery } from '#api/model-queries.ts';
import type { LanguageModel, ModelEndpoint, ModelPrice } from '#api/types.ts';
import { endpointHost } from '#pages/models/endpoint-host.ts';
import { useAccess } from '#session/session.ts';
import { language, t } from '#texts/texts.ts';
import { numberText } from '#ui/number-text.ts';
import { QueryView } from '#ui/query-view.tsx';
import { RichText } from '#ui/rich-text.tsx';
import { type Column, Table } from '#ui/table.tsx';

/** Where the texts of a model's requests go. */
const DESTINATIONS: Readonly<Record<string, string>> = {
  builtin: t('models.destinations.builtin'),
  anthropic: t('models.destinations.anthropic'),
  openai: t('models.destinations.openai'),
};

/** Returns where the texts of a model's requests go. Only admins know the addresses of endpoints. */
function destinationOf({ provider, endpoint }: LanguageModel, endpoints: readonly ModelEndpoint[]): string {
  if (endpoint === null) return DESTINATIONS[provider] ?? t('models.destinations.other', { provider });
  const { id, name } = endpoint;
  const own = endpoints.find((one) => one.id === id);
  const host = own && endpointHost(own);
  return host === undefined
    ? t('models.destinations.endpoint', { name })
    : t('models.destinations.endpointAt', { name, host });
}

const dollars = new Intl.NumberFormat(language(), {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 0,
  maximumFractionDigits: 6,
});

function priceText(price: ModelPrice | undefined, provider: string): string {
  if (provider === 'builtin') return t('models.free');
  if (price === undefined) return t('models.noPrice');
  return t('models.price', {
    input: dollars.format(price.inputPerMillion),
    output: dollars.format(price.outputPerMillion),
  });
}

const NO_PRICES: ReadonlyMap<string, ModelPrice> = new Map();
const NO_ENDPOINTS: readonly ModelEndpoint[] = [];

const byModel = (prices: readonly ModelPrice[]): ReadonlyMap<string, ModelPrice> =>
  new Map(prices.map((price) => [price.model, price]));

/** The language models that answer questions: their sizes and prices, and which texts leave the server. */
export function LanguageModels() {
  const isAdmin = useAccess('admin', 'keys');
  const models = useQuery(languageModelsQuery);
  const { data: prices = NO_PRICES } = useQuery({ ...modelPricesQuery, select: byModel, enabled: isAdmin });
  const { data: endpoints = NO_ENDPOINTS } = useQuery({ ...modelEndpointsQuery, enabled: isAdmin });
  return (
    <QueryView query={models} what={t('models.whatLanguageModels')}>
      {(items) => {
        const columns: readonly Column<LanguageModel>[] = [
          {
            name: t('models.model'),
            cell: ({ id, default: isDefault, supportsTools }) => (
              <>
                {id}
                {isDefault ? <p className="muted small">{t('models.isDefault')}</p> : null}
                {supportsTools ? null : <p className="muted small">{t('models.noTools')}</p>}
              </>
            ),
          },
          { name: t('models.context'), isNumber: true, cell: ({ contextWindow }) => numberText(contextWindow) },
          { name: t('models.pricePerMillion'), cell: ({ id, provider }) => priceText(prices.get(id), provider) },
          {
            name: t('models.destination'),
            cell: (model) => destinationOf(model, endpoints),
          },
        ];
        return (
          <>
            <Table caption={t('models.languageModels')} columns={columns} rows={items} keyOf={({ id }) => id} />
            <p className="muted small">
              <RichText name="models.addHelp" elements={{ settings: <Link href="/settings" /> }} />
            </p>
          </>
        );
      }}
    </QueryView>
  );
}
