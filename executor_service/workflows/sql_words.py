"""What a DATABASE node's query may be made of; what stands in none of these lists is refused."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTIONS = _words(
    # over many rows, and over a window of them
    "any_value array_agg avg bool_and bool_or corr count covar_pop covar_samp cume_dist dense_rank "
    "every first_value group_concat grouping lag last_value lead max median min mode nth_value "
    "ntile percent_rank percentile percentile_cont percentile_disc rank regr_slope row_number "
    "stddev stddev_pop stddev_samp string_agg sum total var_pop var_samp variance "
    # of numbers
    "abs acos asin atan atan2 cbrt ceil ceiling cos cot degrees div exp floor ln log log10 log2 "
    "mod pi pow power radians random round sign sin sqrt tan trunc width_bucket "
    # of texts
    "ascii btrim char char_length character_length chr concat concat_ws format hex initcap instr "
    "left length lower lpad ltrim md5 normalize octet_length position printf quote regexp_count "
    "regexp_like regexp_match regexp_matches regexp_replace regexp_split_to_array "
    "regexp_split_to_table regexp_substr replace reverse right rpad rtrim split_part starts_with "
    "string_to_array string_to_table strpos substr substring to_char to_number translate trim "
    "unicode unistr upper "
    # of times
    "age curdate date date_add date_bin date_format date_part date_sub date_trunc datediff "
    "datetime day dayofweek extract hour isfinite julianday justify_days last_day make_date "
    "make_interval make_time make_timestamp minute month now quarter second strftime time timediff "
    "timestamp to_date to_timestamp unixepoch week weekday year "
    # choices
    "coalesce greatest ifnull iif least nullif num_nonnulls num_nulls "
    # of arrays and ranges, as rows too
    "array_append array_cat array_length array_position array_remove array_to_string array_upper "
    "cardinality daterange generate_series generate_subscripts int4range int8range numrange row "
    "unnest "
    # of JSON
    "json json_agg json_array json_array_elements json_array_elements_text json_array_length "
    "json_build_array json_build_object json_each json_each_text json_extract json_extract_path "
    "json_extract_path_text json_group_array json_group_object json_object json_object_agg "
    "json_object_keys json_quote json_tree json_type json_typeof json_valid jsonb jsonb_agg "
    "jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array "
    "jsonb_build_object jsonb_each jsonb_each_text jsonb_extract_path jsonb_extract_path_text "
    "jsonb_group_array jsonb_group_object jsonb_object_agg jsonb_object_keys jsonb_path_exists "
    "jsonb_path_query jsonb_path_query_array jsonb_path_query_first jsonb_typeof row_to_json "
    "to_json to_jsonb typeof "
    # of searched texts
    "bm25 highlight levenshtein phraseto_tsquery plainto_tsquery similarity snippet soundex "
    "to_tsquery to_tsvector ts_headline ts_rank ts_rank_cd websearch_to_tsquery"
)
"""Functions that give a value and do nothing else.

A list of those that act would never be whole: every extension and every owner of a database adds
some, and `query_to_xml`, `dblink`, `nextval` or `set_config` look like any other.
"""

SPECIAL_FUNCTIONS = _words(
    "Array Case Cast CurrentDate CurrentTime CurrentTimestamp Exists Extract GroupConcat If "
    "JSONObject Localtime Localtimestamp Overlay StrPosition Substring Trim TryCast Unnest"
)
"""Functions with a grammar of their own, by their class in sqlglot."""

CLAUSES = _words(
    # statements and what they read from
    "CTE Except From Intersect Join Lateral Select Subquery Table TableAlias TableSample Union "
    "Values With "
    # what they ask for
    "Cube Distinct Fetch Filter Group GroupingSets Having IgnoreNulls Limit LimitOptions Offset "
    "Order Ordered RespectNulls Rollup Where Window WindowSpec WithinGroup "
    # expressions
    "Alias Aliases All Any AtTimeZone Between BitString Boolean Column ColumnDef DataType "
    "DataTypeParam Exists HexString Identifier In Interval JSONKeyValue JSONPath JSONPathKey "
    "JSONPathRoot JSONPathSubscript Literal Neg Not BitwiseNot Null Paren Placeholder Star "
    "TableColumn Tuple Var"
)
"""Everything else that a query may hold, by its class in sqlglot."""

STATEMENTS = _words("Except Intersect Select Subquery Union Values")
