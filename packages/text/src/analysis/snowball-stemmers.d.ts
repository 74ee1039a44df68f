declare module 'snowball-stemmers' {
  /** One stemmer of the Snowball project; `stem` takes a lower-case word. */
  interface Stemmer {
    stem(word: string): string;
  }
  const snowball: { newStemmer(algorithm: string): Stemmer; algorithms(): string[] };
  export default snowball;
}
