import { RichText } from '#ui/rich-text.tsx';

/** The query with words that documents contain, for a query with misspelled words. */
export function DidYouMean({
  query,
  onChoose,
}: {
  readonly query: string | null;
  readonly onChoose: (query: string) => void;
}) {
  if (query === null) return null;
  return (
    <p>
      <RichText
        name="search.didYouMean"
        values={{ query }}
        elements={{ query: <button type="button" className="link-button" onClick={() => onChoose(query)} /> }}
      />
    </p>
  );
}
