{#
  SQL whose long lines are broken, so that a person can read the compiled model and target/run: at commas, before
  `when`, `then`, `or` and `and`, and within the longest pair of brackets. Only white space changes, never within a
  literal or a comment.
  In and out: SQL.
#}
{% macro laid_out(sql) %}
  {% set lines, literal = [], namespace(is_open=false) %}
  {% for line in sql.split('\n') %}
    {% set began_within = literal.is_open %}
    {% set rest = modules.re.sub("^(?:[^'\\\\]|\\\\.)*'", '', line) if began_within else line %}
    {% set bare = modules.re.sub("'(?:[^'\\\\]|\\\\.)*'|`[^`]*`|/\\*.*?\\*/", '', rest) %}
    {% set literal.is_open = began_within and rest == line or "'" in bare.partition('--')[0] %}
    {% if line | length <= 120 or began_within or literal.is_open or '--' in bare %}
      {% do lines.append(line) %}
    {% else %}
      {% set text = line.lstrip() %}
      {% do lines.extend(afterimage._broken_line(text, line | length - text | length)) %}
    {% endif %}
  {% endfor %}
  {{ return(lines | join('\n')) }}
{% endmacro %}


{# The lines of a text at an indent. A list of what is still to be broken, as a macro that calls itself is slow for a long text. #}
{% macro _broken_line(text, indent) %}
  {% set lines, waiting = [], [(text, indent)] %}
  {# at most two pieces for each character #}
  {% for _ in text ~ text if waiting %}
    {% set part, at = waiting.pop() %}
    {% if at + part | length <= 120 %}
      {% do lines.append(' ' * at ~ part) %}
    {% else %}
      {% set pieces = afterimage._pieces_of_line(part, at) %}
      {% do waiting.extend(pieces | reverse) if pieces else lines.append(' ' * at ~ part) %}
    {% endif %}
  {% endfor %}
  {{ return(lines) }}
{% endmacro %}


{# The pieces that a text too long for its line is broken into, each (text, indent); none where it cannot be broken. #}
{% macro _pieces_of_line(text, indent) %}
  {% set tokens = modules.re.findall("'(?:[^'\\\\]|\\\\.)*'|`[^`]*`|/\\*.*?\\*/|[\\w.]+|\\s+|.", text) %}
  {# the indexes of tokens at which the text may be broken outside of all brackets; and the longest pair of brackets #}
  {% set is_branch, is_list = tokens[0] in ['when', 'then', 'else', 'on', 'where'], tokens[0] in ['select', 'group', 'partition', 'order'] %}
  {% set places, opened, betweens = {'clause': [], ',': [], 'when': [], 'then': [], 'or': [], 'and': []}, [], [] %}
  {% set longest = namespace(start=0, end=0) %}
  {% for token in tokens %}
    {% if token in ['(', 'case'] or token == '<' and loop.previtem in ['struct', 'map', 'array'] %}
      {% do opened.append(loop.index0) %}
    {% elif opened and (token in [')', 'end'] or token == '>' and tokens[opened[-1]] == '<') %}
      {% set start = opened.pop() %}
      {% if not opened and loop.index0 - start > longest.end - longest.start %}
        {% set longest.start = start %}
        {% set longest.end = loop.index0 %}
      {% endif %}
    {% elif not opened and not loop.first %}
      {% if token == 'between' %}
        {% do betweens.append(token) %}
      {% elif token == 'and' and betweens %}
        {% do betweens.pop() %}
      {% elif token == ',' %}
        {% if not loop.last %}{% do places[token].append(loop.index) %}{% endif %}
      {% elif token == 'on' or is_list and token in ['from', 'where', 'group', 'order', 'rows'] %}
        {% do places['clause'].append(loop.index0) %}
      {% elif token == 'else' %}
        {% do places['when'].append(loop.index0) %}
      {% elif token in places %}
        {% do places[token].append(loop.index0) %}
      {% endif %}
    {% endif %}
  {% endfor %}
  {% set pieces = [] %}
  {% for kind in places if places[kind] and not pieces and not (kind == ',' and is_list) %}
    {% set starts = [0] + places[kind] %}
    {% for start in starts %}
      {% set part = (tokens[start:starts[loop.index]] if not loop.last else tokens[start:]) | join | trim %}
      {% set is_deeper = not loop.first and (part.startswith('on ') or is_branch and kind != 'when') %}
      {% do pieces.append((part, indent + (4 if is_deeper else 0))) %}
    {% endfor %}
  {% endfor %}
  {% if pieces %}
  {% elif is_branch or is_list %}
    {# the keyword, and below it its operands #}
    {% set words = tokens[:1 if is_branch or tokens[0] == 'select' else 3] %}
    {% do pieces.extend([(words | join, indent), (tokens[words | length:] | join | trim, indent + 4)]) %}
  {% elif longest.end > longest.start + 1 %}
    {# the operand of a case stays on its line; an array of structs opens and closes on one line #}
    {% set is_of_structs = tokens[longest.start:longest.start + 3] == ['<', 'struct', '<'] %}
    {% set first = tokens.index('when', longest.start) if tokens[longest.start] == 'case' else longest.start + (3 if is_of_structs else 1) %}
    {% set last = longest.end - (1 if is_of_structs else 0) %}
    {% do pieces.extend([(tokens[:first] | join | trim, indent), (tokens[first:last] | join | trim, indent + 4), (tokens[last:] | join, indent)]) %}
  {% endif %}
  {{ return(pieces) }}
{% endmacro %}
