import { TextField } from '#ui/field.tsx';

/** A price as it is typed. */
export interface TypedPrice {
  readonly input: string;
  readonly output: string;
}

/** The prices of a model per million tokens. */
export function PriceFields({
  labels,
  price,
  onChange,
}: {
  readonly labels: TypedPrice;
  readonly price: TypedPrice;
  readonly onChange: (change: Partial<TypedPrice>) => void;
}) {
  return (['input', 'output'] as const).map((name) => (
    <TextField
      key={name}
      label={labels[name]}
      type="number"
      min={0}
      step="any"
      value={price[name]}
      onChange={(value) => onChange({ [name]: value })}
    />
  ));
}
