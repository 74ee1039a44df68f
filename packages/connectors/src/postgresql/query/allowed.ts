import { words } from '#postgresql/query/fields';

/** Types to which a query can cast values. */
export const ALLOWED_TYPES = words(`
  bool int2 int4 int8 float4 float8 numeric text varchar bpchar char date time timetz timestamp timestamptz interval uuid json jsonb jsonpath bytea
  inet cidr bit varbit tsvector tsquery int4range int8range numrange daterange tsrange tstzrange`);

/**
 * Types of pg_catalog that a column can have: reading them, comparing them and parsing a literal of
 * them calls only PostgreSQL's own code. Types that look up names, for example regclass, are
 * excluded.
 */
export const READABLE_TYPES: ReadonlySet<string> = new Set([
  ...ALLOWED_TYPES,
  ...words(`
    name money oid macaddr macaddr8 point line lseg box path polygon circle xml
    int4multirange int8multirange nummultirange datemultirange tsmultirange tstzmultirange`),
]);

/** Operators, all in pg_catalog. */
export const ALLOWED_OPERATORS = words(`
  = <> < > <= >= + - * / % ^ |/ ||/ @ & | # ~ << >> || ~~ !~~ ~~* !~~* ~* !~ !~* ^@ -> ->> #> #>> #- @> <@ ? ?| ?& @? @@ && -|- &< &> <<= >>=`);

/**
 * Functions of pg_catalog that only read their arguments, change nothing, look up no names
 * (`pg_typeof` returns a type that does), and return a result in proportion to their arguments.
 * `repeat`, `lpad` and `format` could fill the memory. `pg_read_file`, `set_config`, `pg_sleep`,
 * `nextval` and `query_to_xml` are dangerous.
 */
export const ALLOWED_FUNCTIONS = words(`
  count sum avg min max array_agg string_agg json_agg jsonb_agg json_object_agg jsonb_object_agg bool_and bool_or every bit_and bit_or
  stddev stddev_pop stddev_samp variance var_pop var_samp corr covar_pop covar_samp regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope
  percentile_cont percentile_disc mode any_value
  row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value
  abs ceil ceiling floor round trunc sqrt cbrt power pow exp ln log log10 mod div sign gcd lcm width_bucket pi degrees radians sin cos tan asin acos
  atan atan2 random
  lower upper initcap length char_length character_length octet_length bit_length substring substr left right trim btrim ltrim rtrim replace translate
  split_part strpos position overlay reverse concat concat_ws starts_with ascii chr md5 sha256 encode decode to_hex normalize
  regexp_replace regexp_match regexp_matches regexp_split_to_array regexp_split_to_table regexp_count regexp_substr regexp_like regexp_instr
  similar_to_escape like_escape string_to_array string_to_table array_to_string to_char to_date to_timestamp to_number
  now date_trunc date_part extract age make_date make_time make_timestamp make_timestamptz make_interval justify_days justify_hours
  justify_interval timezone clock_timestamp statement_timestamp transaction_timestamp date_bin isfinite date_add date_subtract overlaps
  json_build_object jsonb_build_object json_build_array jsonb_build_array to_json to_jsonb row_to_json array_to_json json_extract_path
  json_extract_path_text jsonb_extract_path jsonb_extract_path_text json_array_length jsonb_array_length json_array_elements
  json_array_elements_text jsonb_array_elements jsonb_array_elements_text json_each json_each_text jsonb_each jsonb_each_text json_object_keys
  jsonb_object_keys json_typeof jsonb_typeof jsonb_pretty jsonb_path_query jsonb_path_exists jsonb_path_query_first jsonb_strip_nulls jsonb_set
  unnest cardinality array_length array_position array_positions array_append array_prepend array_cat array_remove array_upper array_lower array_ndims
  generate_series generate_subscripts num_nulls num_nonnulls gen_random_uuid
  json_to_record json_to_recordset jsonb_to_record jsonb_to_recordset jsonb_path_query_array jsonb_path_match jsonb_insert array_replace trim_array
  int4range int8range numrange daterange tsrange tstzrange isempty lower_inc upper_inc lower_inf upper_inf range_merge range_agg
  date host masklen network family quote_literal quote_ident bit_xor scale trim_scale is_normalized
  to_tsvector to_tsquery plainto_tsquery phraseto_tsquery websearch_to_tsquery ts_rank ts_rank_cd ts_headline`);

/** Also allowed in the owner's views, policies and checks: no one else chooses the arguments. */
export const ALLOWED_IN_STORED = words(
  'current_setting format lpad rpad repeat version current_database current_schema pg_size_pretty hashtext',
);

/**
 * Extensions whose C functions and operators only compute with their arguments. Allowed in the
 * owner's SQL.
 */
export const TRUSTED_EXTENSIONS = words(
  'citext cube fuzzystrmatch hstore intarray isn ltree pg_trgm pgcrypto seg unaccent uuid-ossp',
);

export const ALLOWED_VALUES_IN_STORED = /^SVFOP_(?:CURRENT_USER|CURRENT_ROLE|SESSION_USER|USER)$/;

/** `CURRENT_DATE` and similar; not `CURRENT_USER`, which reveals the connection. */
export const ALLOWED_VALUE_FUNCTIONS =
  /^SVFOP_(?:CURRENT_(?:DATE|TIME|TIME_N|TIMESTAMP|TIMESTAMP_N)|LOCALTIME|LOCALTIME_N|LOCALTIMESTAMP|LOCALTIMESTAMP_N)$/;
