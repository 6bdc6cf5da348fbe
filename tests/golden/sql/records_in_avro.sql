with

new_records as (
    select
        topic,
        headers,
        key as key_bytes,
        value as value_bytes
    from landing.shop_events
),

framed as (
    select
        with_schemas.*,
        key_text,
        value_text
    from (
        select
            *,
            conv(
                hex(
                    coalesce(
                        get(headers.value, cast(array_position(headers.key, 'apicurio.key.globalId') as int) - 1),
                        get(headers.value, cast(array_position(headers.key, 'apicurio.key.contentId') as int) - 1)
                    )
                ),
                16,
                10
            ) as key_schema,
            conv(
                hex(
                    coalesce(
                        get(headers.value, cast(array_position(headers.key, 'apicurio.value.globalId') as int) - 1),
                        get(headers.value, cast(array_position(headers.key, 'apicurio.value.contentId') as int) - 1)
                    )
                ),
                16,
                10
            ) as value_schema,
            if(value_bytes is null, key_schema, value_schema) as telling_schema
        from new_records
    ) as with_schemas
        lateral view explode(array(
            case
                when key_schema is null
                    then
                        if(
                            startswith(cast(key_bytes as string), '"{'),
                            coalesce(
                                get_json_object(concat('[', cast(key_bytes as string), ']'), '$[0]'),
                                cast(key_bytes as string)
                            ),
                            cast(key_bytes as string)
                        )
                when key_schema = '2'
                    then
                        nullif(
                            regexp_extract(
                                to_json(
                                    from_avro(
                                        concat(substring(key_bytes, 1), X'61667465722E2E2E'),
                                        '{"type":"record","name":"_frame","fields":[{"name":"value","type":{"type": "record", "name": "Envelope", "fields": []}},{"name":"end","type":{"type":"fixed","name":"_end","size":8}}]}',
                                        map('mode', 'PERMISSIVE')
                                    ),
                                    map('ignoreNullFields', 'false')
                                ),
                                '(?s)\\A\\{"value":(.*),"end":"YWZ0ZXIuLi4="\\}\\z',
                                1
                            ),
                            ''
                        )
            end
        )) as key_text
        lateral view explode(array(
            case
                when value_schema is null
                    then
                        if(
                            startswith(cast(value_bytes as string), '"{'),
                            coalesce(
                                get_json_object(concat('[', cast(value_bytes as string), ']'), '$[0]'),
                                cast(value_bytes as string)
                            ),
                            cast(value_bytes as string)
                        )
                when value_schema = '1'
                    then
                        nullif(
                            regexp_extract(
                                to_json(
                                    from_avro(
                                        concat(substring(value_bytes, 1), X'61667465722E2E2E'),
                                        '{"type":"record","name":"_frame","fields":[{"name":"value","type":{"type": "record", "name": "Envelope", "fields": []}},{"name":"end","type":{"type":"fixed","name":"_end","size":8}}]}',
                                        map('mode', 'PERMISSIVE')
                                    ),
                                    map('ignoreNullFields', 'false')
                                ),
                                '(?s)\\A\\{"value":(.*),"end":"YWZ0ZXIuLi4="\\}\\z',
                                1
                            ),
                            ''
                        )
            end
        )) as value_text
),

read_records as (
    select
        * except (key_bytes, value_bytes, key_text, value_text, telling_schema),
        coalesce(key_text, concat('base64:', base64(key_bytes))) as record_key,
        coalesce(value_text, concat('base64:', base64(value_bytes))) as record_value,
        case
            -- a delete may have only a key
            when if(value_bytes is null, key_bytes is null or key_text is not null, value_text is not null) then null
            when telling_schema in ('1', '2') then concat('broken_avro ', telling_schema)
            else concat('unknown_schema ', telling_schema)
        end as unreadable
    from framed
),

found as (
    select * from read_records
)

select * from found
